/** Business days of a currency: the days on which its payment system moves money. A day is written 2026-01-31. */
import { bankHolidaysOf, isWeekend } from './bank-holidays.ts';
import type { Currency } from './currency.ts';
import { dayLater, firstDayFrom } from './day.ts';

/** The calendar of a currency, with days that operators have added. */
export interface BusinessCalendar {
  currency: Currency;
  addedHolidays?: ReadonlySet<string>;
}

export function isBusinessDay({ currency, addedHolidays }: BusinessCalendar, day: string): boolean {
  const year = Number(day.slice(0, 4));
  return !isWeekend(day) && !bankHolidaysOf(currency, year).has(day) && !addedHolidays?.has(day);
}

/** The day itself if it is a business day, otherwise the next business day, or LAST_DAY if none follows. */
export function nextBusinessDay(calendar: BusinessCalendar, day: string): string {
  return firstDayFrom(day, (each) => isBusinessDay(calendar, each));
}

/** The business day `count` business days after a day. With 0, the day itself or the next business day. */
export function addBusinessDays(calendar: BusinessCalendar, day: string, count: number): string {
  if (count === 0) return nextBusinessDay(calendar, day);
  let later = day;
  for (let added = 0; added < count; added++) later = nextBusinessDay(calendar, dayLater(later, 1));
  return later;
}
