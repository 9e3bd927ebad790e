import { DAY_SECONDS } from './day.ts';

/**
 * Whole days since the end of the due day in UTC: 0 on the first day after it and before. Both instants are unix
 * seconds.
 */
export function daysPastDue(dueAt: number, now: number): number {
  const dueDayEndsAt = (Math.floor(dueAt / DAY_SECONDS) + 1) * DAY_SECONDS;
  return Math.max(0, Math.floor((now - dueDayEndsAt) / DAY_SECONDS));
}
