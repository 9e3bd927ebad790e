import type { Issue } from './problem.ts';

/** How many seconds the caller's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60;

/** The issue of an instant that must not be in the future; none for a past one. Both in unix seconds. */
export function futureIssues(at: number, now: number, path: string): Issue[] {
  if (at <= now + CLOCK_SKEW_SECONDS) return [];
  return [{ code: 'IN_THE_FUTURE', path, message: 'must not be in the future' }];
}
