/**
 * The HTTP ceiling: a bare Fastify that returns a given object, with the id of the path. Without hooks, schema, validation
 * and database, this is the cost of any response of that size in Node and Fastify.
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
