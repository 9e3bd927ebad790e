/** Seconds of a day in UTC; unix time has no leap seconds. */
export const DAY_SECONDS = 86_400;

/** The last second of the year 9999, which is the last instant of a request. */
export const LAST_INSTANT = 253_402_300_799;
export const LAST_DAY = '9999-12-31';

/**
 * The day of an instant (unix seconds) in UTC: 2026-01-31. At most LAST_DAY: the text of a later day would not sort, and searches for a day
 * would not end.
 */
export function dayOf(at: number): string {
  return new Date(Math.min(at, LAST_INSTANT) * 1_000).toISOString().slice(0, 10);
}

/** The day `days` days after another one, at most LAST_DAY. */
export function dayLater(day: string, days: number): string {
  return dayOf(Date.parse(day) / 1_000 + days * DAY_SECONDS);
}

/** The first day from `from` on for which `holds` is true; LAST_DAY if it is true for none. */
export function firstDayFrom(from: string, holds: (day: string) => boolean): string {
  let day = from;
  while (day < LAST_DAY && !holds(day)) day = dayLater(day, 1);
  return day;
}

/** The same day of a later month (an earlier one if `months` is negative), or its last day if the month is shorter. */
export function dayMonthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, daysInMonth)) / 1_000);
}

/** The same time of day on the same day of a later month, or on its last day. UTC; unix seconds. */
export function monthsLater(at: number, months: number): number {
  return Date.parse(dayMonthsLater(dayOf(at), months)) / 1_000 + (at % DAY_SECONDS);
}
