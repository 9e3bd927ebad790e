/** The public holidays of a country, computed from the rules of its law. A day is written 2026-01-31. */
import { easterOf, isWeekend, weekdayOf } from '#kernel/bank-holidays';
import { dayLater, firstDayFrom } from '#kernel/day';
import type { PublicHoliday } from './late-payment-law.schemas.ts';

const FRIDAY = 5;
/** The difference in days between the Julian and the Gregorian calendar, from 1900 to 2099. */
const JULIAN_DAYS = 13;

/** The holidays of a year. */
export function publicHolidaysOf(rules: readonly PublicHoliday[], year: number): ReadonlySet<string> {
  const inForce = rules.filter(
    ({ from_year: from = year, until_year: until = year }) => from <= year && year <= until,
  );
  const holidays = new Set(inForce.map((rule) => dayIn(year, rule.day)));
  for (const rule of inForce.filter((each) => each.has_substitute)) {
    const day = dayIn(year, rule.day);
    // Two holidays on one weekend have two substitutes.
    if (isWeekend(day)) holidays.add(firstDayFrom(day, (each) => !isWeekend(each) && !holidays.has(each)));
  }
  return holidays;
}

/** Whether a day is a Sunday or a holiday of the rules. */
export function isHoliday(rules: readonly PublicHoliday[], day: string): boolean {
  return weekdayOf(day) === 0 || publicHolidaysOf(rules, Number(day.slice(0, 4))).has(day);
}

function dayIn(year: number, rule: string): string {
  const [, orthodox, days] = /^(ORTHODOX_)?EASTER([+-]\d+)$/.exec(rule) ?? [];
  if (days !== undefined) return dayLater(orthodox ? orthodoxEasterOf(year) : easterOf(year), Number(days));
  const [, fridayFrom] = /^FRIDAY_FROM_(.+)$/.exec(rule) ?? [];
  if (fridayFrom !== undefined) return fridayOnOrAfter(`${year}-${fridayFrom}`);
  // A rule with a year is a one-time holiday.
  return rule.length > 'MM-DD'.length ? rule : `${year}-${rule}`;
}

const fridayOnOrAfter = (day: string) => dayLater(day, (FRIDAY + 7 - weekdayOf(day)) % 7);

/** Easter Sunday of the Orthodox churches, by the Julian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
function orthodoxEasterOf(year: number): string {
  const moon = (19 * (year % 19) + 15) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  // Day 114 is 22 March, the earliest date: 114 = 3 × 31 + 21.
  const days = moon + weekday;
  return dayLater(`${year}-03-22`, days + JULIAN_DAYS);
}
