/** Answers with the bytes of a file. A browser saves it and never displays it, because its content is untrusted. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnsweredFile } from '#operation/file-body';
import { matchesNoneMatch } from './entity-tag.ts';

/** Sends the file. The handler must return the reply: the bytes are sent after it returns. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: AnsweredFile,
): Promise<FastifyReply> {
  const etag = `"${file.sha256.toString('hex')}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-store');
  const { 'if-none-match': ifNoneMatch } = request.headers;
  if (ifNoneMatch !== undefined && matchesNoneMatch(ifNoneMatch, etag)) return reply.code(304).send();
  // Reads the first chunk before the head is sent, so that a file altered there is answered as a problem instead of a broken response.
  const chunks = file.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  const content = Readable.from(joined(first, chunks), { objectMode: false });
  return reply
    .header('content-type', file.type)
    .header('content-length', file.sizeBytes)
    .header('content-disposition', dispositionOf(file.name))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .send(content);
}

async function* joined(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
}

/** RFC 6266, with the name in UTF-8 (RFC 8187). */
function dispositionOf(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
