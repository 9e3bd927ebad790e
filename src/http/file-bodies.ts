/** Bodies that are files: larger and slower than JSON, and therefore few at once. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/problem';
import { FILE_MEDIA_TYPES, type FileBody, type SentFile } from '#operation/file-body';
import { hasBody, limitTime } from './protocol-guard.ts';

/** A file is in memory as a whole: 160 MiB at most. */
const AT_ONCE_MAX = 8;
/** So that one platform leaves room for others. */
const AT_ONCE_OF_PLATFORM_MAX = 4;
const RETRY_AFTER_SECONDS = 1;

/**
 * Reads files in this Fastify context. The caller is admitted by then. A Content-Length over the limit is refused before a
 * byte is read.
 * @param docsUrl The page that explains errors.
 */
export function readFileBodies(app: FastifyInstance, docsUrl: () => string): void {
  const slots = createSlots();
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

function createSlots() {
  const taken = new Map<number, number>();
  let takenInAll = 0;
  return {
    /** Throws TOO_MANY_REQUESTS where the platform has its share, SERVICE_UNAVAILABLE where all slots are taken. */
    take(platformId: number): void {
      const ofPlatform = taken.get(platformId) ?? 0;
      const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
      if (ofPlatform >= AT_ONCE_OF_PLATFORM_MAX) {
        const error = `At most ${AT_ONCE_OF_PLATFORM_MAX} files can be sent at once`;
        throw new Problem('TOO_MANY_REQUESTS', { error, ...retry });
      }
      if (takenInAll >= AT_ONCE_MAX)
        throw new Problem('SERVICE_UNAVAILABLE', { error: 'Too many files are being sent', ...retry });
      takenInAll += 1;
      taken.set(platformId, ofPlatform + 1);
    },
    release(platformId: number): void {
      takenInAll -= 1;
      const left = (taken.get(platformId) ?? 0) - 1;
      if (left > 0) taken.set(platformId, left);
      else taken.delete(platformId);
    },
  };
}
