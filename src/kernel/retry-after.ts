/** Retry-After of HTTP: how long a server asks its clients to wait (RFC 9110, section 10.2.3). */

/**
 * The seconds of a Retry-After, which contains seconds or a date; null for anything else. A past date gives 0.
 * @param since Unix seconds from which a date is counted, such as those of the answer's own Date; null if unknown.
 */
export function readRetryAfter(text: string | null | undefined, since: number | null): number | null {
  const value = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = readHttpDate(value);
  return at === null || since === null ? null : Math.max(0, at - since);
}

const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** An HTTP date, in any of its three forms, in unix seconds; null for anything else. `Date.parse` alone accepts almost any text. */
export function readHttpDate(text: string | null | undefined): number | null {
  const value = text?.trim() ?? '';
  const isHttpDate = / GMT$/.test(value) || ASCTIME.test(value);
  const atMs = isHttpDate ? Date.parse(value.replace(/( GMT)?$/, ' GMT')) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs / 1_000;
}
