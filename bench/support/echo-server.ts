/**
 * The HTTP ceiling: a bare Fastify that answers with an object it was handed, under the id of the path. No hooks, no
 * schema, no validation, no database: what is left is what Node and Fastify take for any answer of that size.
 */
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { answerJobs } from './part.ts';

export interface EchoJob {
  body: Record<string, unknown>;
}

async function serve({ body }: EchoJob): Promise<string> {
  const app = fastify();
  app.get<{ Params: { external_id: string } }>('/echo/:external_id', (request, reply) => {
    reply.send({ ...body, external_id: request.params.external_id });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

if (import.meta.main) answerJobs(serve);
