/** The days other than weekends on which payment systems are closed. A day is written 2026-01-31. */
import type { Currency } from './currency.ts';
import { dayLater } from './day.ts';

/** Easter Sunday of a year, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8). */
export function easterOf(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const marchDays = epact + weekday - 7 * late + 22;
  return dayLater(`${year}-03-01`, marchDays - 1);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function isWeekend(day: string): boolean {
  return weekdayOf(day) % 6 === 0;
}

/** T2 and SEPA transfers (ECB, long-term calendar of TARGET closing days). */
function targetHolidays(year: number): string[] {
  const easter = easterOf(year);
  const fixed = ['01-01', '05-01', '12-25', '12-26'].map((date) => `${year}-${date}`);
  return [...fixed, dayLater(easter, -2), dayLater(easter, 1)];
}

/** Days that were moved or added by proclamation. */
const UK_SHIFTED: Record<string, string> = {
  '2020-05-04': '2020-05-08',
  '2022-05-30': '2022-06-02',
};
const UK_ADDED = ['2022-06-03', '2022-09-19', '2023-05-08'];

/** Bank holidays in England and Wales (Banking and Financial Dealings Act 1971). A holiday on a weekend has a substitute day. */
function ukHolidays(year: number): string[] {
  const easter = easterOf(year);
  const newYear = onWeekday(`${year}-01-01`);
  const christmas = `${year}-12-25`;
  // Christmas Day at a weekend is observed on the 27th, and Boxing Day on the 28th.
  const ofChristmas = isWeekend(christmas) ? `${year}-12-27` : christmas;
  const boxingDay = isWeekend(`${year}-12-26`) ? `${year}-12-28` : `${year}-12-26`;
  const rule = [
    ...[newYear, dayLater(easter, -2), dayLater(easter, 1)],
    ...[mondayFrom(`${year}-05-01`), mondayFrom(`${year}-05-25`), mondayFrom(`${year}-08-25`)],
    ...[ofChristmas, boxingDay],
  ];
  return [
    ...rule.map((day) => UK_SHIFTED[day] ?? day),
    ...UK_ADDED.filter((day) => day.startsWith(`${year}`)),
  ];
}

function onWeekday(day: string): string {
  return isWeekend(day) ? onWeekday(dayLater(day, 1)) : day;
}

const mondayFrom = (day: string) => dayLater(day, (8 - weekdayOf(day)) % 7);

/**
 * The calendars of other currencies, as announced by the central banks and payment systems. Weekends are left out. After the last year only
 * weekends are known: an operator adds the holidays (`tradeline payout holiday`).
 */
const LISTED: Partial<Record<Currency, Record<number, string>>> = {
  USD: {
    2026: '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25',
    2027: '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25',
  },
  CHF: {
    2026: '01-01 01-02 04-03 04-06 05-01 05-14 05-25 12-25',
    2027: '01-01 03-26 03-29 05-06 05-17',
  },
  PLN: {
    2026: '01-01 01-06 04-06 05-01 06-04 11-11 12-24 12-25',
    2027: '01-01 01-06 03-29 05-03 05-27 11-01 11-11 12-24',
  },
  CZK: {
    2026: '01-01 04-03 04-06 05-01 05-08 07-06 09-28 10-28 11-17 12-24 12-25',
    2027: '01-01 03-26 03-29 07-05 07-06 09-28 10-28 11-17 12-24',
  },
  RON: {
    2026: '01-01 01-02 01-06 01-07 04-10 04-13 05-01 06-01 11-30 12-01 12-25',
    2027: '01-01 01-06 01-07 04-30 05-03 06-01 06-21 11-30 12-01',
  },
  DKK: {
    2026: '01-01 04-02 04-03 04-06 05-14 05-15 05-25 06-05 12-24 12-25 12-31',
    2027: '01-01 03-25 03-26 03-29 05-06 05-07 05-17 12-24 12-31',
  },
  HUF: {
    2026: '01-01 01-02 04-03 04-06 05-01 05-25 08-20 08-21 10-23 12-24 12-25',
    2027: '01-01 03-15 03-26 03-29 05-17 08-20 11-01 12-24',
  },
  SEK: {
    2026: '01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25 12-31',
    2027: '01-01 01-06 03-26 03-29 05-06 06-25 12-24 12-31',
  },
  NOK: {
    2026: '01-01 04-02 04-03 04-06 05-01 05-14 05-25 12-25',
    2027: '01-01 03-25 03-26 03-29 05-06 05-17',
  },
  JPY: {
    2026: '01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31',
    2027: '01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31',
  },
  AUD: {
    2026: '01-01 01-26 04-03 04-06 06-08 12-25 12-28',
    2027: '01-01 01-26 03-26 03-29 06-14 12-27 12-28',
  },
  NZD: {
    2026: '01-01 01-02 02-06 04-03 04-06 04-27 06-01 07-10 10-26 12-25 12-28',
    2027: '01-01 01-04 02-08 03-26 03-29 04-26 06-07 06-25 10-25 12-27 12-28',
  },
  CAD: {
    2026: '01-01 04-03 05-18 07-01 09-07 09-30 10-12 11-11 12-25 12-28',
    2027: '01-01 03-26 05-24 07-01 09-06 09-30 10-11 11-11 12-27 12-28',
  },
};

const known = new Map<string, ReadonlySet<string>>();

/**
 * The days of a year, other than weekends, on which the payment system of the currency is closed. Bulgaria pays in euro since 2026, so the
 * lev has the calendar of the euro.
 */
export function bankHolidaysOf(currency: Currency, year: number): ReadonlySet<string> {
  const name = `${currency} ${year}`;
  const found = known.get(name);
  if (found) return found;
  const days = new Set(holidaysOf(currency, year));
  known.set(name, days);
  return days;
}

function holidaysOf(currency: Currency, year: number): string[] {
  if (currency === 'EUR' || currency === 'BGN') return targetHolidays(year);
  if (currency === 'GBP') return ukHolidays(year);
  const dates = LISTED[currency]?.[year];
  return dates === undefined ? [] : dates.split(' ').map((date) => `${year}-${date}`);
}

/** Every day in the dated lists. */
export function listedBankHolidays(): { currency: Currency; day: string }[] {
  return Object.entries(LISTED).flatMap(([currency, years]) =>
    Object.keys(years).flatMap((year) =>
      holidaysOf(currency as Currency, Number(year)).map((day) => ({
        currency: currency as Currency,
        day,
      })),
    ),
  );
}
