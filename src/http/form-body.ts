/** What a form of a page sends: `application/x-www-form-urlencoded`, and nothing else. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#kernel/problem';

/** For this part of the server alone: elsewhere a body is strict JSON. */
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

/** A form without a body is an empty one. */
export function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** The first of that name, as it was typed; empty where it is missing. */
export function typedIn(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}
