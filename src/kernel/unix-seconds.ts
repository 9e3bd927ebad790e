/** An instant as whole seconds since 1970-01-01T00:00:00Z, the one form of time on the wire. */
export type UnixSeconds = number;

export const UNIX_SECONDS_MIN = 0;

/** 9999-12-31T23:59:59Z: the last second that every date type on the way can hold. */
export const UNIX_SECONDS_MAX = 253_402_300_799;

/** Whole and within bounds. Milliseconds sent by mistake are within them too, and read as the far future. */
export function isUnixSeconds(value: number): value is UnixSeconds {
  return Number.isInteger(value) && value >= UNIX_SECONDS_MIN && value <= UNIX_SECONDS_MAX;
}
