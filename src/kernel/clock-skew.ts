import type { Issue } from './problem.ts';

/** How many seconds the caller's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60;

/** The issue of an instant that must not be in the future; none for a past one. Both in unix seconds. */
export function futureIssues(at: number, now: number, path: string): Issue[] {
  if (at <= now + CLOCK_SKEW_SECONDS) return [];
  const shown = new Date(now * 1_000).toISOString().slice(0, 19);
  const message = `must not be in the future: the platform's clock shows ${now} (${shown}Z); leave it out for now`;
  return [{ code: 'IN_THE_FUTURE', path, message }];
}
