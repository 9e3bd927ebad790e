import { describe, expect, it } from 'vitest';
import { bankHolidaysOf, easterOf, isWeekend, listedBankHolidays, weekdayOf } from './bank-holidays.ts';
import { addBusinessDays, isBusinessDay, nextBusinessDay } from './business-day.ts';

const EUR = { currency: 'EUR' } as const;
const GBP = { currency: 'GBP' } as const;

describe('easterOf', () => {
  it.each([
    ['1961-04-02'],
    ['2000-04-23'],
    ['2008-03-23'],
    ['2011-04-24'],
    ['2024-03-31'],
    ['2025-04-20'],
    ['2026-04-05'],
    ['2027-03-28'],
    ['2028-04-16'],
    ['2038-04-25'],
    ['2076-04-19'],
    ['2285-03-22'],
  ])('finds %s', (easter) => expect(easterOf(Number(easter.slice(0, 4)))).toBe(easter));

  it('is a Sunday between 22 March and 25 April in every year', () => {
    for (let year = 1900; year < 2400; year++) {
      const easter = easterOf(year);
      expect([easter, weekdayOf(easter)]).toEqual([easter, 0]);
      expect(easter >= `${year}-03-22` && easter <= `${year}-04-25`).toBe(true);
    }
  });
});

describe('the calendar of TARGET', () => {
  // Closing days as the ECB lists them.
  it.each([
    [2025, '2025-01-01 2025-04-18 2025-04-21 2025-05-01 2025-12-25 2025-12-26'],
    [2026, '2026-01-01 2026-04-03 2026-04-06 2026-05-01 2026-12-25 2026-12-26'],
    [2027, '2027-01-01 2027-03-26 2027-03-29 2027-05-01 2027-12-25 2027-12-26'],
  ])('is closed in %i on the days of the list', (year, days) =>
    expect([...bankHolidaysOf('EUR', year)].sort()).toEqual(days.split(' ')),
  );
});

describe('the calendar of England and Wales', () => {
  // As published on gov.uk/bank-holidays.
  it.each([
    [2020, '01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28'],
    [2021, '01-01 04-02 04-05 05-03 05-31 08-30 12-27 12-28'],
    [2022, '01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27'],
    [2023, '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'],
    [2024, '01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26'],
    [2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
    [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
    [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ])('is closed in %i on the days of the list', (year, dates) => {
    const days = [...bankHolidaysOf('GBP', year)].sort();
    expect(days).toEqual(dates.split(' ').map((date) => `${year}-${date}`));
  });
});

describe('the dated lists', () => {
  it('name real days that are not at a weekend, each once', () => {
    const listed = listedBankHolidays();
    expect(listed.length).toBeGreaterThan(200);
    expect(new Set(listed.map(({ currency, day }) => `${currency} ${day}`)).size).toBe(listed.length);
    expect(listed.filter(({ day }) => Number.isNaN(Date.parse(day)) || isWeekend(day))).toEqual([]);
  });

  it('know weekends only after their last year', () => {
    expect(bankHolidaysOf('JPY', 2031).size).toBe(0);
    expect(isBusinessDay({ currency: 'JPY' }, '2031-01-04')).toBe(false);
  });
});

describe('isBusinessDay', () => {
  it.each([
    ['a Friday', EUR, '2026-11-20', true],
    ['a Saturday', EUR, '2026-11-21', false],
    ['a Sunday', EUR, '2026-11-22', false],
    ['Good Friday', EUR, '2026-04-03', false],
    ['a bank holiday in England', GBP, '2026-08-31', false],
    ['the same day in euro', EUR, '2026-08-31', true],
    ['a substitute day', GBP, '2026-12-28', false],
    ['Labour Day in pounds', GBP, '2026-05-01', true],
    ['a listed day in yen', { currency: 'JPY' } as const, '2026-09-22', false],
    ['a day that an operator added', { ...GBP, addedHolidays: new Set(['2026-06-10']) }, '2026-06-10', false],
  ])('answers for %s', (_, calendar, day, is) => expect(isBusinessDay(calendar, day)).toBe(is));
});

describe('nextBusinessDay', () => {
  it.each([
    ['2026-11-20', '2026-11-20'],
    ['2026-11-21', '2026-11-23'],
    ['2026-04-03', '2026-04-07'],
    ['2026-12-25', '2026-12-28'],
    ['2027-01-01', '2027-01-04'],
  ])('of %s in euro is %s', (day, next) => expect(nextBusinessDay(EUR, day)).toBe(next));

  it('of the last day of the year 9999 is that day, also where banks are closed on it', () => {
    const closed = { currency: 'EUR', addedHolidays: new Set(['9999-12-31']) } as const;
    expect(nextBusinessDay(closed, '9999-12-31')).toBe('9999-12-31');
    expect(addBusinessDays(closed, '9999-12-30', 3)).toBe('9999-12-31');
  });
});

describe('addBusinessDays', () => {
  it.each([
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-11-21', 0, '2026-11-23'],
    ['2026-11-20', 1, '2026-11-23'],
    ['2026-11-20', 2, '2026-11-24'],
    ['2026-11-21', 1, '2026-11-23'],
    ['2026-11-21', 2, '2026-11-24'],
    ['2026-04-02', 1, '2026-04-07'],
    ['2026-12-23', 2, '2026-12-28'],
    ['2026-12-31', 1, '2027-01-04'],
  ])('of %s and %i in euro is %s', (day, count, later) =>
    expect(addBusinessDays(EUR, day, count)).toBe(later),
  );

  it('counts substitute days in pounds', () =>
    expect(addBusinessDays(GBP, '2026-12-24', 1)).toBe('2026-12-29'));
});
