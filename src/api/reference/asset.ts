/** The assets of the reference: texts that are the same for every client, stored gzipped. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsEncoding } from '#http/compression';

const inflate = promisify(gunzip);

/** Requested again every time, and answered with 304 while unchanged. */
const REVALIDATED = 'no-cache';
/** For an address that changes with its content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface Asset {
  headers: Record<string, string>;
  etag: string;
  gzipped: Buffer;
}

export function textAsset(type: string, text: string | Buffer, headers: Record<string, string> = {}): Asset {
  return gzippedAsset(type, gzipSync(text), { 'cache-control': REVALIDATED, ...headers });
}

export function immutableAsset(type: string, gzipped: Buffer): Asset {
  return gzippedAsset(type, gzipped, { 'cache-control': IMMUTABLE });
}

function gzippedAsset(type: string, gzipped: Buffer, headers: Record<string, string>): Asset {
  // Weak: the same text is sent with and without gzip.
  const etag = `W/"${createHash('sha256').update(gzipped).digest('base64url').slice(0, 22)}"`;
  return { headers: { 'content-type': type, ...headers }, etag, gzipped };
}

export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, etag, gzipped }: Asset,
): Promise<FastifyReply> {
  reply.headers({ ...headers, ...REFERENCE_HEADERS, etag, vary: 'accept-encoding' });
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag))
    return reply.code(304).send();
  if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(await inflate(gzipped));
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

/** The headers of every answer of the reference. */
export const REFERENCE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
