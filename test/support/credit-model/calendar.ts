/** The business days of the euro (TARGET). A day is the number of days since 1970. */
import { DAY_SECONDS, dayOf } from './state.ts';

/** Easter Sundays, from church calendars. */
const EASTER = [
  ...['2025-04-20', '2026-04-05', '2027-03-28', '2028-04-16', '2029-04-01', '2030-04-21'],
  ...['2031-04-13', '2032-03-28', '2033-04-17', '2034-04-09', '2035-03-25', '2036-04-13'],
];
const dayNumber = (day: string) => dayOf(Date.parse(day) / 1_000);

const CLOSED: ReadonlySet<number> = new Set(
  EASTER.flatMap((easter) => {
    const fixed = ['01-01', '05-01', '12-25', '12-26'].map((day) =>
      dayNumber(`${easter.slice(0, 4)}-${day}`),
    );
    return [...fixed, dayNumber(easter) - 2, dayNumber(easter) + 1];
  }),
);

/** 1 January 1970 was a Thursday. */
export const isWeekend = (day: number) => [2, 3].includes(day % 7);
export const isBusinessDay = (day: number) => !isWeekend(day) && !CLOSED.has(day);

/** The business day `count` business days later; with 0, the day itself or the next business day. */
export function businessDaysLater(day: number, count: number): number {
  let later = day;
  for (let left = count; left > 0; left--) later = nextBusinessDay(later + 1);
  return nextBusinessDay(later);
}

export function nextBusinessDay(day: number): number {
  return isBusinessDay(day) ? day : nextBusinessDay(day + 1);
}

/** The first instant of the weekday after the day of an instant. */
export function nextWeekday(at: number): number {
  let day = dayOf(at) + 1;
  while (isWeekend(day)) day++;
  return day * DAY_SECONDS;
}
