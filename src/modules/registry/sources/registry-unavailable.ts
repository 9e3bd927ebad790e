/** Why a registry gave no answer, as the end of a sentence. */
export const UNAVAILABLE_KINDS = {
  TIMEOUT: 'it did not answer in time',
  CONNECTION: 'the connection to it failed',
  TLS: 'no secure connection to it could be made',
  SERVER_ERROR: 'it answered with an error of its own',
  PROTOCOL: 'its answer cannot be read',
  REFUSED: 'it refused the request or the key',
  THROTTLED: 'it was asked too often',
  NATIONAL: 'the national registry behind it does not answer',
  RATE_LIMITED: 'as many requests as it allows were sent already',
  CIRCUIT_OPEN: 'it failed just now and is left alone for a while',
} as const;

export type UnavailableKind = keyof typeof UNAVAILABLE_KINDS;

/** Names of errors only: what a registry wrote is never repeated. */
const CODE = /^[A-Za-z][\w-]{0,47}$/;

/**
 * A registry did not answer; another one, or a later time, may. Its fields and its message name the registry and the
 * kind, and nothing that was sent or received.
 */
export class RegistryUnavailable extends Error {
  readonly registry: string;
  readonly kind: UnavailableKind;
  /** The name of the error below: `HTTP_503`, `ECONNREFUSED`, `MS_UNAVAILABLE`, … */
  readonly code: string | null;
  /** How long the registry wants to be left alone, where it said so. */
  readonly retryAfterMs: number | null;
  /** The one country this concerns, where others may still be asked about (`NATIONAL`). */
  readonly country: string | null;

  constructor(
    registry: string,
    kind: UnavailableKind,
    more: { code?: string | null; retryAfterMs?: number | null; country?: string | null } = {},
  ) {
    super(`The registry ${registry} is unavailable: ${UNAVAILABLE_KINDS[kind]}.`);
    this.name = 'RegistryUnavailable';
    this.registry = registry;
    this.kind = kind;
    this.code = more.code != null && CODE.test(more.code) ? more.code : null;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.country = more.country ?? null;
  }
}
