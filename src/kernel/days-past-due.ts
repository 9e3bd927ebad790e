import { calendarDaysBetween, localDayOf } from './local-day.ts';

/**
 * Calendar days since the due day, which is the day of `dueAt` in the time zone: 1 on the first day after it, 0 until
 * then. Both instants are unix seconds.
 */
export function daysPastDue(dueAt: number, now: number, timeZone: string): number {
  return Math.max(0, calendarDaysBetween(localDayOf(dueAt, timeZone), localDayOf(now, timeZone)));
}
