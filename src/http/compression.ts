/**
 * Compresses answers for clients that accept it.
 *
 * Compression leaks a secret that shares an answer with text chosen by an attacker: the length shows how much of the secret was guessed
 * (BREACH). So an answer with a secret is never compressed: see `hasSecret` of an operation, and the mailbox, whose mails contain the
 * tokens of checkout links. Checkout pages contain neither the link's token nor the session.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Encoding = 'br' | 'gzip';

/** In characters. Shorter answers fit into one packet uncompressed. */
const COMPRESSIBLE_LENGTH_MIN = 1_024;

/** The better of the codings that an `Accept-Encoding` header names; null if it names none of them. */
export function encodingOf(acceptEncoding: string | string[] | undefined): Encoding | null {
  if (acceptsEncoding(acceptEncoding, 'br')) return 'br';
  return acceptsEncoding(acceptEncoding, 'gzip') ? 'gzip' : null;
}

/** The coding for an answer with this text, or null; sets `Vary` and `Content-Encoding`. Short answers are the same for every client. */
export function negotiateEncoding(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Encoding | null {
  if (text.length < COMPRESSIBLE_LENGTH_MIN) return null;
  reply.header('vary', 'accept-encoding');
  const encoding = encodingOf(headers['accept-encoding']);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return encoding;
}

const ACCEPTED = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
};

export function acceptsEncoding(acceptEncoding: string | string[] | undefined, encoding: Encoding): boolean {
  return acceptEncoding !== undefined && ACCEPTED[encoding].test(String(acceptEncoding));
}

/**
 * Each answer is compressed for a single request, so speed matters: the result is a quarter larger than at the best quality, in a hundredth
 * of the time.
 */
const BROTLI_QUALITY = 4;
/** 64 KB hold a page or a list. The default of 4 MB is allocated for each call. */
const BROTLI_WINDOW_BITS = 16;

/** Compresses synchronously: 0.1 ms for 10 KB, 0.3 ms for 50 KB, which is less than passing it to another thread. */
export function compressed(text: string, encoding: Encoding): Buffer {
  const bytes = Buffer.from(text);
  return encoding === 'gzip' ? gzipSync(bytes) : brotliCompressSync(bytes, brotliOptions(bytes.length));
}

/** In characters. From this length on, another thread compresses, so that other requests need not wait. */
const BACKGROUND_LENGTH_MIN = 64 * 1_024;

/** Compresses like `compressed`, but on another thread if the text is long. */
export function compressedAnswer(text: string, encoding: Encoding): Buffer | Promise<Buffer> {
  if (text.length < BACKGROUND_LENGTH_MIN) return compressed(text, encoding);
  const bytes = Buffer.from(text);
  return encoding === 'gzip' ? gzipLater(bytes) : brotliLater(bytes, brotliOptions(bytes.length));
}

const gzipLater = promisify(gzip) as (bytes: Buffer) => Promise<Buffer>;
const brotliLater = promisify(brotliCompress);

function brotliOptions(bytes: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    },
  };
}
