import type { FastifyReply } from 'fastify';
import type { RelativeLinks } from './relative-links.ts';
import { securityHeaders } from './security-headers.ts';

/** Redirects to another page of the same link. @param origins The platform's origins, if known. */
export function redirectTo(
  reply: FastifyReply,
  links: RelativeLinks,
  page: string,
  origins: readonly string[] = [],
): FastifyReply {
  return reply
    .headers(securityHeaders(origins))
    .header('location', `${links.folder}${page}`)
    .code(303)
    .send();
}
