/** What went wrong with a request that was allowed, in the words of a delivery log. */

export type FailureKind = 'TIMEOUT' | 'CONNECTION' | 'TLS' | 'PROTOCOL';

const SENTENCES: Record<string, string> = {
  CLOSED: 'The receiver closed the connection before its answer was complete.',
  HEAD_TOO_LARGE: 'The headers of the answer are larger than 16 KB.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before its answer was complete.',
  EPIPE: 'The receiver closed the connection before its answer was complete.',
  ENETUNREACH: 'The receiver cannot be reached from here.',
  EHOSTUNREACH: 'The receiver cannot be reached from here.',
  ETIMEDOUT: 'The receiver did not accept the connection in time.',
  UND_ERR_SOCKET: 'The receiver closed the connection before its answer was complete.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as its content-length says.',
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is signed by itself.",
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

/** The request may have been sent, in whole or in part. The message is one sentence and names no address. */
export class OutboundFailed extends Error {
  readonly kind: FailureKind;
  /** The name of the error below, as Node, OpenSSL or undici give it: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, … */
  readonly code: string;

  constructor(kind: FailureKind, code: string) {
    super(SENTENCES[code] ?? SENTENCES_BY_KIND[kind]);
    this.name = 'OutboundFailed';
    this.kind = kind;
    this.code = code;
  }
}

/** Before the request was sent. */
export function openingFailure(error: Error): OutboundFailed {
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return new OutboundFailed('TIMEOUT', code);
  // What is no error of the operating system comes from the handshake or the check of the certificate.
  return new OutboundFailed(isSystemCode(code) ? 'CONNECTION' : 'TLS', code);
}

/** After the connection was open. What only a wrong call of undici explains is handed back as it is. */
export function exchangeFailure(error: Error): Error {
  if (error instanceof OutboundFailed) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') return error;
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return new OutboundFailed('TLS', code);
  // undici has one code for a closed socket and for an answer it will not take («bad response», «bad upgrade»).
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
