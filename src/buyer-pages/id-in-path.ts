import type { FastifyRequest } from 'fastify';
import { notFound } from '#kernel/problem';

const EXTERNAL_ID = /^[a-zA-Z0-9-_]{1,100}$/;

/** Throws NOT_FOUND for text that is not an id. */
export function idIn(request: FastifyRequest, name: string): string {
  const id = (request.params as Record<string, string>)[name] ?? '';
  if (!EXTERNAL_ID.test(id)) throw notFound();
  return id;
}
