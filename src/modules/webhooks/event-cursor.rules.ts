/** Positions as cursors: where a reader goes on. */
import { Problem } from '#kernel/problem';

/** The positions of a platform's events. */
export interface Positions {
  /** Of the first event that is kept; one more than `last` where none is. */
  first: number;
  /** 0 before the first event. */
  last: number;
}

/** From the oldest event that is kept. */
const FROM_OLDEST = 0;

/** The position behind which a recovery begins. 0 is never refused; any other cursor is, as by `assertCursor`. */
export function recoveryStart(after: number, positions: Positions, path: string): number {
  if (after === FROM_OLDEST) return positions.first - 1;
  assertCursor(after, positions, path);
  return after;
}

/**
 * Refuses a cursor behind which events are deleted already, and one that no event of this platform has had: a reader who
 * missed events must know it. Throws a 400 with `details.oldest`, the oldest cursor that leaves nothing out, and `details.newest`.
 */
export function assertCursor(after: number, { first, last }: Positions, path: string): void {
  const oldest = first - 1;
  if (after >= oldest && after <= last) return;
  const issue =
    after < oldest
      ? { code: 'TOO_SMALL' as const, message: `is too old: the events up to ${oldest} are deleted` }
      : { code: 'TOO_BIG' as const, message: `is unknown: the last event has the position ${last}` };
  throw new Problem('BAD_REQUEST', {
    error: '1 validation issue',
    issues: [{ ...issue, path }],
    details: { oldest, newest: last },
  });
}
