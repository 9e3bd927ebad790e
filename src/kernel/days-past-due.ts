import { DAY_SECONDS } from './day.ts';

/**
 * How long something is past due: whole days since the day on which it was due ended (UTC), so 0 on the first day after
 * it; before, 0 too. Unix seconds.
 */
export function daysPastDue(dueAt: number, now: number): number {
  const dueDayEndsAt = (Math.floor(dueAt / DAY_SECONDS) + 1) * DAY_SECONDS;
  return Math.max(0, Math.floor((now - dueDayEndsAt) / DAY_SECONDS));
}
