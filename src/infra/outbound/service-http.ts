/**
 * Requests to services that the operator configured, such as a public API or its mirror. Their addresses come from
 * settings, so they are not vetted like customers' URLs (http.ts). As there, TLS is always verified, proxies of the
 * environment are ignored, redirects are not followed, and responses are limited in size.
 */
import { getCACertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { readHttpDate, readRetryAfter } from '#kernel/retry-after';

export type ServiceFailureKind = 'TIMEOUT' | 'CONNECTION' | 'TLS' | 'TOO_LARGE' | 'PROTOCOL';

const SENTENCES: Record<ServiceFailureKind, string> = {
  TIMEOUT: 'The service did not answer in time.',
  CONNECTION: 'The connection to the service failed.',
  TLS: 'No secure connection to the service could be made.',
  TOO_LARGE: 'The answer of the service is too large.',
  PROTOCOL: 'The answer of the service is not valid HTTP/1.1.',
};

/** A request failed without a response. The message is one sentence without addresses and headers. */
export class ServiceFailed extends Error {
  readonly kind: ServiceFailureKind;
  /** The code of the cause from Node, OpenSSL or undici: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, … */
  readonly code: string;

  constructor(kind: ServiceFailureKind, code: string) {
    super(SENTENCES[kind]);
    this.name = 'ServiceFailed';
    this.kind = kind;
    this.code = code;
  }
}

export interface ServiceRequest {
  method: 'GET' | 'POST';
  /** Path and query below the base address, percent-encoded: `/company/00000006?x=y`. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Aborts the request, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface ServiceReply {
  status: number;
  /** From Retry-After: seconds, or a date relative to the response's own Date. */
  retryAfterMs: number | null;
  body: Buffer;
}

export interface ServiceHttp {
  /** Throws ServiceFailed or the reason of the signal. */
  send(request: ServiceRequest): Promise<ServiceReply>;
  /** Closes idle connections and waits for running requests, which end by their signal or after 15 s. */
  close(): Promise<void>;
}

export interface ServiceHttpOptions {
  /** An http or https URL, with or without a path. Any other throws a TypeError. */
  baseUrl: string;
  /** Sent with every request, such as credentials. */
  headers?: Record<string, string>;
  /** PEM of certificate authorities to trust in addition to the default ones. A PEM without certificates throws a TypeError. */
  extraCa?: string;
}

/** The largest expected response is a page of 100 records of about 3 KB each. */
const BODY_BYTES_MAX = 1_048_576;
const HEAD_BYTES_MAX = 16_384;
const CONNECTIONS_MAX = 16;
const CONNECT_TIMEOUT_MS = 5_000;
/** For callers without a signal: time to the head of the response, and between two chunks of its body. */
const SILENCE_MS = 15_000;
/** Shorter than the 5 s after which common servers close idle connections, so that requests seldom hit a closed one. */
const IDLE_MS = 4_000;

export function createServiceHttp({ baseUrl, headers = {}, extraCa }: ServiceHttpOptions): ServiceHttp {
  const base = readBaseUrl(baseUrl);
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      minVersion: 'TLSv1.2',
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
      rejectUnauthorized: true,
      ...(extraCa !== undefined && { ca: [...getCACertificates('default'), ...readAuthorities(extraCa)] }),
    },
  });
  return {
    async send({ method, path, body, signal }) {
      try {
        const answer = await request(base + path, {
          dispatcher: agent,
          method,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        });
        return {
          status: answer.statusCode,
          retryAfterMs: retryAfterMsOf(answer.headers),
          body: await readBounded(answer.body),
        };
      } catch (error) {
        throw signal?.aborted ? signal.reason : failureOf(error);
      }
    },
    close: () => agent.close(),
  };
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new TypeError('The base address of a service is http:// or https://, a host and perhaps a path.');
  }
  return url.href.replace(/\/+$/, '');
}

function readAuthorities(text: string): string[] {
  const authorities = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  // Node accepts text without a certificate silently; every connection would then fail.
  if (authorities.length === 0) {
    throw new TypeError('The extra certificate authorities hold no PEM certificate.');
  }
  return authorities;
}

/** Leaving the loop early destroys the body and its connection. */
async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) throw new ServiceFailed('TOO_LARGE', 'BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function retryAfterMsOf(headers: Record<string, string | string[] | undefined>): number | null {
  const seconds = readRetryAfter(first(headers['retry-after']), readHttpDate(first(headers.date)));
  return seconds === null ? null : seconds * 1_000;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The failure of an error. Errors of wrong undici calls are returned unchanged. */
function failureOf(error: unknown): unknown {
  if (error instanceof ServiceFailed || !(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (code === 'UND_ERR_INVALID_ARG') return error;
  return new ServiceFailed(kindOf(code), code);
}

function kindOf(code: string): ServiceFailureKind {
  if (/^UND_ERR_\w+_TIMEOUT$/.test(code) || code === 'ETIMEDOUT') return 'TIMEOUT';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'TOO_LARGE';
  if (/^UND_ERR_(SOCKET|CLOSED|DESTROYED)$/.test(code)) return 'CONNECTION';
  // Parser errors may have a name but no code.
  if (/^(UND_ERR_|HPE_)/.test(code) || !/^[A-Z0-9_]+$/.test(code)) return 'PROTOCOL';
  // Certificate errors have codes of OpenSSL; codes of the operating system begin with E.
  return /^E/.test(code) && !/^(EPROTO$|ERR_)/.test(code) ? 'CONNECTION' : 'TLS';
}
