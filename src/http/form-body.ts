/** Bodies of HTML forms: `application/x-www-form-urlencoded` only. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#kernel/problem';

/** Reads form bodies in this Fastify context. In all others, a body is strict JSON. */
export function readFormBodies(app: FastifyInstance, bytesMax: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: bytesMax },
    (request, bytes: Buffer, done) => {
      const coding = request.headers['content-encoding'] ?? 'identity';
      if (coding.toLowerCase() !== 'identity') done(new Problem('UNSUPPORTED_MEDIA_TYPE'));
      else done(null, new URLSearchParams(bytes.toString('utf8')));
    },
  );
  app.addContentTypeParser('*', (_, __, done) => done(new Problem('UNSUPPORTED_MEDIA_TYPE')));
}

/** The form of a request body; empty without a body. */
export function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** The first field of that name, as typed; '' if it is missing. */
export function typedIn(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}
