/** Positions as cursors: the point from which a reader continues. */
import { Problem } from '#kernel/problem';

/** The positions of a platform's events. */
export interface Positions {
  /** The position of the oldest kept event; one more than `last` if none is kept. */
  first: number;
  /** The position of the newest event; 0 before the first. */
  last: number;
}

/** Begins with the oldest event that is kept. */
const FROM_OLDEST = 0;

/** The position after which a recovery begins. 0 is always accepted; any other cursor is checked by `assertCursor`. */
export function recoveryStart(after: number, positions: Positions, path: string): number {
  if (after === FROM_OLDEST) return positions.first - 1;
  assertCursor(after, positions, path);
  return after;
}

/**
 * Refuses a cursor after which events are already deleted, and one that is no position of this platform: a reader must know that it has
 * missed events. Throws a 400 with `details.oldest`, the oldest cursor that leaves nothing out, and `details.newest`.
 */
export function assertCursor(after: number, { first, last }: Positions, path: string): void {
  const oldest = first - 1;
  if (after >= oldest && after <= last) return;
  const issue =
    after < oldest
      ? { code: 'TOO_SMALL' as const, message: `is too old: the events up to ${oldest} have been deleted` }
      : { code: 'TOO_BIG' as const, message: `is unknown: the last event has the position ${last}` };
  throw new Problem('BAD_REQUEST', {
    error: '1 validation issue',
    issues: [{ ...issue, path }],
    details: { oldest, newest: last },
  });
}
