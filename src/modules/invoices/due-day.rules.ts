/** Days of a platform's calendar: on which an invoice is due, when that day ends, and how long ago it was. */
import { DAY_SECONDS, dayOf } from '#kernel/day';

/** The day of an instant (unix seconds). */
export function calendarDayOf(at: number): string {
  return dayOf(at);
}

/** The first instant after the day of an instant; both in unix seconds. */
export function endOfDay(at: number): number {
  return (Math.floor(at / DAY_SECONDS) + 1) * DAY_SECONDS;
}

/** Calendar days from a day to the day of an instant: 1 on the day after it. Below 0 for a day to come. */
export function daysSince(day: string, now: number): number {
  return (Date.parse(calendarDayOf(now)) - Date.parse(day)) / (DAY_SECONDS * 1_000);
}
