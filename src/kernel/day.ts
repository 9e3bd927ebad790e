/** Seconds of a day in UTC; unix time has no leap seconds. */
export const DAY_SECONDS = 86_400;

/** The day of an instant (unix seconds) in UTC: 2026-01-31. */
export function dayOf(at: number): string {
  return new Date(at * 1_000).toISOString().slice(0, 10);
}

/**
 * The same time of day on the same day of a later month (an earlier one if `months` is negative), or on its last day if
 * the month is shorter. UTC; unix seconds.
 */
export function monthsLater(at: number, months: number): number {
  const date = new Date(at * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime() / 1_000;
}
