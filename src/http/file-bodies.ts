/** Request bodies that are files. They are larger and slower than JSON, so few are received at the same time. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import { FILE_MEDIA_TYPES, type FileBody, type SentFile } from '#operation/file-body';
import { hasBody, limitTime } from './protocol-guard.ts';
import { createUploadSlots } from './upload-slots.ts';

/**
 * Reads files in this Fastify context. The caller has been admitted by then. A Content-Length over the limit is refused before a byte is
 * read.
 * @param docsUrl The page that explains errors.
 */
export function readFileBodies(app: FastifyInstance, docsUrl: () => string): void {
  const slots = createUploadSlots();
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { fileBody } = request.routeOptions.config;
    if (!fileBody || !hasBody(request.headers)) return done(null, payload);
    slots.take(request.caller.platformId);
    reply.raw.once('close', () => slots.release(request.caller.platformId));
    limitTime(request.raw, fileBody.secondsMax, docsUrl());
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    Object.keys(FILE_MEDIA_TYPES),
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      const { 'content-encoding': coding = 'identity' } = request.headers;
      if (coding.toLowerCase() !== 'identity') return done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
      request.rawBody = bytes;
      done(null, bytes);
    },
  );
  app.addContentTypeParser('*', (request, _, done) => {
    if (hasBody(request.headers)) done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
    else done(null, undefined);
  });
}

/** The file of a request; undefined without a body. */
export function fileOf(request: FastifyRequest): SentFile | undefined {
  const [mediaType = ''] = (request.headers['content-type'] ?? '').split(';');
  const type = FILE_MEDIA_TYPES[mediaType.trim().toLowerCase()];
  return type && Buffer.isBuffer(request.body) ? { type, bytes: request.body } : undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    fileBody?: FileBody;
  }
}
