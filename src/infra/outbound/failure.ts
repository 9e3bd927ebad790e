/** The failures of requests that were allowed, with one sentence each for a delivery log. */

export type FailureKind = 'TIMEOUT' | 'CONNECTION' | 'TLS' | 'PROTOCOL';

const SENTENCES: Record<string, string> = {
  ANSWER_UNFINISHED: 'The receiver did not finish its answer in time.',
  CLOSED_UNSENT: 'The receiver closed the connection before the request was sent.',
  HEAD_TOO_LARGE: 'The headers of the answer are larger than 16 KB.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before its answer was complete.',
  EPIPE: 'The receiver closed the connection before its answer was complete.',
  ENETUNREACH: 'The receiver cannot be reached from here.',
  EHOSTUNREACH: 'The receiver cannot be reached from here.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
  UND_ERR_SOCKET: 'The receiver closed the connection before its answer was complete.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The length of the answer differs from its content-length.',
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate comes from an unknown authority.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The receiver's certificate comes from an unknown authority.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate comes from an unknown authority.",
};

const SENTENCES_BY_KIND: Record<FailureKind, string> = {
  TIMEOUT: 'The receiver did not answer in time.',
  CONNECTION: 'The connection to the receiver failed.',
  TLS: 'No secure connection to the receiver could be made.',
  PROTOCOL: 'The answer of the receiver is not valid HTTP/1.1.',
};

/** How far a request got before it failed. */
export interface OutboundProgress {
  /** The IP address that was dialled last; null if none was. */
  address: string | null;
  /** The status of a response whose head has arrived. */
  status: number | null;
  /** The part of the first 4 KB of its body that has arrived. */
  bodyHead: Buffer;
}

const NOT_BEGUN: OutboundProgress = { address: null, status: null, bodyHead: Buffer.alloc(0) };

/** A request failed; it may have been sent in whole or in part. The message is one sentence without addresses. */
export class OutboundFailed extends Error {
  readonly kind: FailureKind;
  /** The code of the cause from Node, OpenSSL or undici: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, … */
  readonly code: string;
  readonly progress: OutboundProgress;

  constructor(kind: FailureKind, code: string, progress = NOT_BEGUN) {
    super(SENTENCES[code] ?? SENTENCES_BY_KIND[kind]);
    this.name = 'OutboundFailed';
    this.kind = kind;
    this.code = code;
    this.progress = progress;
  }
}

/** The same failure, with how far the request got. Any other error is returned unchanged. */
export function failedAfter(progress: Partial<OutboundProgress>, error: unknown): unknown {
  if (!(error instanceof OutboundFailed)) return error;
  const known = { ...NOT_BEGUN, ...progress };
  const isInAnswer = error.kind === 'TIMEOUT' && known.status !== null;
  return new OutboundFailed(error.kind, isInAnswer ? 'ANSWER_UNFINISHED' : error.code, known);
}

/** The failure of an error before the request was sent. */
export function openingFailure(error: Error): OutboundFailed {
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return new OutboundFailed('TIMEOUT', code);
  // Errors that are not from the operating system come from the TLS handshake or the certificate check.
  return new OutboundFailed(isSystemCode(code) ? 'CONNECTION' : 'TLS', code);
}

/** The failure of an error on an open connection. Errors of wrong undici calls are returned unchanged. */
export function exchangeFailure(error: Error): Error {
  if (error instanceof OutboundFailed) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') return error;
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return new OutboundFailed('TLS', code);
  // undici uses one code for a closed socket and for responses it rejects (“bad response”, “bad upgrade”).
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) {
    return new OutboundFailed('PROTOCOL', 'BAD_RESPONSE');
  }
  return new OutboundFailed(
    isSystemCode(code) || code === 'UND_ERR_SOCKET' ? 'CONNECTION' : 'PROTOCOL',
    code,
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
}
