/** Sends a page with its security headers, compressed if the browser accepts it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressed, encodingOf } from '#http/compression';
import { securityHeaders } from './security-headers.ts';

export interface CheckoutPage {
  status?: number;
  html: string;
  /** The origins that may show the page in a frame. */
  origins?: readonly string[];
}

export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, html, origins = [] }: CheckoutPage,
): FastifyReply {
  const encoding = encodingOf(request.headers['accept-encoding']);
  reply.code(status).headers({
    ...securityHeaders(origins),
    'content-type': 'text/html; charset=utf-8',
    vary: 'accept-encoding, accept-language',
  });
  if (encoding === null) return reply.send(html);
  return reply.header('content-encoding', encoding).send(compressed(html, encoding));
}
