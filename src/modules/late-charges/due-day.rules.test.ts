import { describe, expect, it } from 'vitest';
import { lastDayInTime } from './due-day.rules.ts';
import { firstDayOf } from './late-interest.rules.ts';
import type { LatePaymentLaw } from './late-payment-law.schemas.ts';
import { LAW_COUNTRIES, latePaymentLawOf } from './late-payment-laws.ts';

const lawOf = (country: string) => latePaymentLawOf(country) as LatePaymentLaw;
const inTime = (country: string, dueOn: string) => lastDayInTime(lawOf(country), dueOn).on;

describe('the last day on which a payment is in time', () => {
  // Easter Sunday was 31 March 2024, 20 April 2025 and 5 April 2026, and is 28 March 2027. For the Orthodox churches it was 5 May 2024,
  // 20 April 2025 and 12 April 2026.
  it.each([
    ['DE', '2027-03-25', '2027-03-25', 'the Thursday before Easter'],
    ['DE', '2027-03-26', '2027-03-30', 'Good Friday, before Easter Monday'],
    ['DE', '2026-11-07', '2026-11-09', 'a Saturday'],
    ['DE', '2026-10-03', '2026-10-05', 'the Day of German Unity, a Saturday'],
    ['DE', '2025-06-07', '2025-06-10', 'the Saturday before Whit Monday'],
    ['DE', '2026-12-25', '2026-12-28', 'Christmas Day, a Friday'],
    ['DE', '2025-10-31', '2025-10-31', 'Reformation Day, a holiday of some states'],
    ['DE', '2026-12-24', '2026-12-24', 'Christmas Eve, no holiday'],
    ['AT', '2026-04-03', '2026-04-07', 'Good Friday'],
    ['AT', '2026-06-04', '2026-06-05', 'Corpus Christi'],
    ['CH', '2025-08-01', '2025-08-04', 'the National Day, a Friday'],
    ['CH', '2025-06-09', '2025-06-09', 'Whit Monday, a holiday of some cantons'],
    ['PL', '2025-06-07', '2025-06-09', 'a Saturday; Whit Monday is no holiday'],
    ['PL', '2025-12-24', '2025-12-29', 'Christmas Eve, a Wednesday'],
    ['PL', '2024-12-24', '2024-12-24', 'Christmas Eve, before it was a holiday'],
    ['SE', '2026-06-19', '2026-06-22', 'Midsummer Eve'],
    ['SE', '2026-12-31', '2027-01-04', 'New Year’s Eve, a Thursday'],
    ['SE', '9999-12-31', '9999-12-31', 'the last day that there is'],
    ['FI', '2026-06-19', '2026-06-22', 'Midsummer Eve'],
    ['NO', '2027-05-17', '2027-05-18', 'Constitution Day'],
    ['NO', '2026-04-02', '2026-04-07', 'Maundy Thursday'],
    ['DK', '2023-05-05', '2023-05-08', 'the last Great Prayer Day'],
    ['DK', '2024-04-26', '2024-04-26', 'what was the Great Prayer Day'],
    ['DK', '2026-06-05', '2026-06-08', 'Constitution Day, a Friday'],
    ['CZ', '2026-07-06', '2026-07-07', 'a holiday on a Monday'],
    ['SK', '2026-09-15', '2026-09-16', 'a holiday on which people work'],
    ['PT', '2026-12-08', '2026-12-09', 'the Immaculate Conception'],
    ['IT', '2026-11-07', '2026-11-07', 'a Saturday'],
    ['IT', '2026-11-08', '2026-11-09', 'a Sunday'],
    ['IT', '2027-01-01', '2027-01-02', 'New Year, before a Saturday'],
    ['IT', '2027-10-04', '2027-10-05', 'Saint Francis, a holiday again'],
    ['BE', '2026-07-21', '2026-07-22', 'the National Day'],
    ['BE', '2022-12-31', '2022-12-31', 'a Saturday, before the article was in force'],
    ['LU', '2026-06-23', '2026-06-24', 'the National Day'],
    ['HU', '2026-08-20', '2026-08-21', 'Saint Stephen; the day after is a holiday of offices only'],
    ['RO', '2026-04-10', '2026-04-14', 'Orthodox Good Friday'],
    ['RO', '2026-04-03', '2026-04-03', 'the Good Friday of others'],
    ['GR', '2026-02-23', '2026-02-24', 'Clean Monday'],
    ['BG', '2026-05-23', '2026-05-26', 'a Saturday; the holiday on Sunday has a substitute on Monday'],
    ['BG', '2027-12-24', '2027-12-29', 'Christmas Eve; two of the days at the weekend have substitutes'],
    ['BG', '2024-05-03', '2024-05-07', 'Orthodox Good Friday, before Saint George on Easter Monday'],
    ['HR', '2026-06-22', '2026-06-23', 'the Anti-Fascist Struggle'],
    ['SI', '2023-08-14', '2023-08-16', 'the Day of Solidarity, declared once, before the Assumption'],
    ['EE', '2026-06-23', '2026-06-25', 'Victory Day, before Midsummer Day'],
    ['LT', '2026-11-02', '2026-11-03', 'All Souls'],
    ['GB', '2026-11-08', '2026-11-08', 'a Sunday'],
    ['IE', '2026-12-25', '2026-12-25', 'Christmas Day'],
    ['FR', '2026-07-14', '2026-07-14', 'the National Day'],
    ['ES', '2026-11-08', '2026-11-08', 'a Sunday'],
    ['NL', '2026-11-08', '2026-11-08', 'a Sunday'],
    ['LV', '2026-11-08', '2026-11-08', 'a Sunday, where the law is not known to us'],
  ])('is in %s for %s %s: %s', (country, dueOn, day) => {
    expect(inTime(country, dueOn)).toBe(day);
  });

  it('has the article by which it is later', () => {
    expect(lastDayInTime(lawOf('DE'), '2027-03-26').extendedBy).toBe('BGB, section 193');
    expect(lastDayInTime(lawOf('DE'), '2027-03-25').extendedBy).toBeNull();
  });

  it('is computed from the holidays of a country wherever a due day can be extended, and from those of no other', () => {
    for (const country of LAW_COUNTRIES) {
      const { due_day_on_holiday: rules, public_holidays: holidays } = lawOf(country);
      const isExtended = rules.some(({ value }) => value !== 'DUE_DAY');
      expect([country, holidays.map(({ valid_from }) => valid_from)]).toEqual([
        country,
        isExtended ? [rules[0]?.valid_from] : [],
      ]);
    }
  });
});

describe('the first day of delay', () => {
  const firstDay = (country: string, dueOn: string, remindedOn: string[] = []) => {
    const parts = [{ number: 1, dueOn, amountMinor: 100_000, changes: [] }];
    return firstDayOf({ parts, disputes: [], remindedOn }, 0, lawOf(country));
  };

  it.each([
    ['DE', '2027-03-26', '2027-03-31'],
    ['DE', '2027-03-25', '2027-03-26'],
    ['PL', '2024-06-15', '2024-06-18'],
    ['GB', '2024-06-16', '2024-06-17'],
  ])('is in %s for %s %s', (country, dueOn, day) => {
    expect(firstDay(country, dueOn)).toBe(day);
  });

  // 1 August 2025 is a Friday: payment is due on Monday.
  it('is not that after a reminder that came while a payment was in time', () => {
    expect(firstDay('CH', '2025-08-01', ['2025-08-02'])).toBeNull();
    expect(firstDay('CH', '2025-08-01', ['2025-08-02', '2025-08-04'])).toBe('2025-08-05');
  });
});
