import type { FastifyInstance } from 'fastify';
import type { Route } from '#http/bind';

export async function reference(
  _app: FastifyInstance,
  _options: { routes: readonly Route[]; baseUrl: string | null },
): Promise<void> {}
