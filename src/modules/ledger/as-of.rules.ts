/** The two instants of a question about the ledger: effective until, and known at. */

export interface AsOf {
  /** Selects entries that are effective until then, in Unix seconds of the platform's clock. Null: all. */
  at: number | null;
  /** Selects entries recorded until then, by the database's clock, in ISO 8601 to the microsecond. Null: all. */
  knownAt: string | null;
}

export const NOW_AND_ALL: AsOf = { at: null, knownAt: null };

/** The last microsecond of a second, so that what was recorded in that second is known. */
export function knownInSecond(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}.999999Z`;
}

/** The instants of a request, in Unix seconds. */
export function asOfSeconds({ at, known_at }: { at?: number; known_at?: number }): AsOf {
  return { at: at ?? null, knownAt: known_at === undefined ? null : knownInSecond(known_at) };
}
