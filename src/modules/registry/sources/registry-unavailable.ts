/** Why a registry did not answer, as the end of a sentence. */
export const UNAVAILABLE_KINDS = {
  TIMEOUT: 'it did not answer in time',
  CONNECTION: 'the connection to it failed',
  TLS: 'no secure connection to it could be made',
  SERVER_ERROR: 'it answered with an error',
  PROTOCOL: 'its answer cannot be read',
  REFUSED: 'it refused the request or the key',
  THROTTLED: 'it received too many requests',
  NATIONAL: 'the national registry behind it does not answer',
  RATE_LIMITED: 'its request limit is used up',
  CIRCUIT_OPEN: 'it failed recently and is paused for a while',
} as const;

export type UnavailableKind = keyof typeof UNAVAILABLE_KINDS;

/** Only names of errors: the registry's own texts are never repeated. */
const CODE = /^[A-Za-z][\w-]{0,47}$/;

/**
 * A registry did not answer; another one may, or the same one later. The fields and the message name the registry and
 * the kind of failure, never data that was sent or received.
 */
export class RegistryUnavailable extends Error {
  readonly registry: string;
  readonly kind: UnavailableKind;
  /** The name of the underlying error: `HTTP_503`, `ECONNREFUSED`, `MS_UNAVAILABLE`, … */
  readonly code: string | null;
  /** The pause that the registry requested, if any. */
  readonly retryAfterMs: number | null;
  /** The one country that is affected (`NATIONAL`); others can still be queried. */
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
