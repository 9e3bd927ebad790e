import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarDaysBetween, endOfLocalDay, isTimeZone, lastSecondOf, localDayOf } from './local-day.ts';

const at = (text: string) => Date.parse(text) / 1_000;

describe('the day of an instant', () => {
  it.each([
    ['UTC', '2025-12-31T23:59:59Z', '2025-12-31'],
    ['UTC', '2026-01-01T00:00:00Z', '2026-01-01'],
    ['Europe/Berlin', '2025-12-31T22:59:59Z', '2025-12-31'],
    ['Europe/Berlin', '2025-12-31T23:00:00Z', '2026-01-01'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
    ['Asia/Kolkata', '2026-01-01T18:30:00Z', '2026-01-02'],
    ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-02'],
    ['Etc/GMT+12', '2026-01-01T11:59:59Z', '2025-12-31'],
    ['America/New_York', '1970-01-01T00:00:00Z', '1969-12-31'],
    ['Pacific/Auckland', '9999-12-31T23:59:59Z', '9999-12-31'],
  ])('in %s, %s is of %s', (timeZone, instant, day) => {
    expect(localDayOf(at(instant), timeZone)).toBe(day);
  });
});

describe('the end of a day', () => {
  it.each([
    ['UTC', '2026-02-28', '2026-03-01T00:00Z', 24],
    ['Europe/Berlin', '2026-01-31', '2026-02-01T00:00+01:00', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-30T00:00+02:00', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-26T00:00+01:00', 25],
    ['America/New_York', '2026-03-08', '2026-03-09T00:00-04:00', 23],
    ['America/New_York', '2026-11-01', '2026-11-02T00:00-05:00', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-06T00:00+10:30', 24.5],
    // Clocks go from 24:00 to 01:00, or back to 23:00: the day has no midnight, or two.
    ['Africa/Cairo', '2026-04-23', '2026-04-24T01:00+03:00', 24],
    ['Africa/Cairo', '2026-04-24', '2026-04-25T00:00+03:00', 23],
    ['Africa/Cairo', '2026-10-29', '2026-10-30T00:00+02:00', 25],
    ['America/Havana', '2026-10-31', '2026-11-01T00:00-04:00', 24],
    ['America/Havana', '2026-11-01', '2026-11-02T00:00-05:00', 25],
  ])('in %s, of %s is %s, after %d hours', (timeZone, day, end, hours) => {
    expect(endOfLocalDay(day, timeZone)).toBe(at(end));
    const dayBefore = localDayOf(at(`${day}T12:00Z`) - 86_400, 'UTC');
    expect(endOfLocalDay(day, timeZone) - endOfLocalDay(dayBefore, timeZone)).toBe(hours * 3_600);
  });

  it.each(['UTC', 'Pacific/Kiritimati', 'America/New_York'])('is the last instant of all in %s', (zone) => {
    expect(endOfLocalDay('9999-12-31', zone)).toBe(253_402_300_799);
  });

  it('follows its last second, wherever and whenever', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const instants = fc.integer({ min: at('2012-01-01'), max: at('2100-01-01') });
    fc.assert(
      fc.property(zones, instants, (timeZone, instant) => {
        const day = localDayOf(instant, timeZone);
        const last = lastSecondOf(day, timeZone);
        expect(localDayOf(last, timeZone)).toBe(day);
        expect(calendarDaysBetween(day, localDayOf(last + 1, timeZone))).toBe(1);
        expect(last).toBeGreaterThanOrEqual(instant);
      }),
      { numRuns: 500 },
    );
  });
});

it('days of the calendar are counted, not hours', () => {
  expect(calendarDaysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(calendarDaysBetween('2028-02-28', '2028-03-01')).toBe(2);
  expect(calendarDaysBetween('2026-01-01', '2025-12-31')).toBe(-1);
});

it.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+5', true],
  ['EST', false],
  ['GMT', false],
  ['+02:00', false],
  ['europe/berlin', false],
  ['Mars/Olympus', false],
  ['', false],
])('%s is a name of a time zone: %s', (name, isName) => {
  expect(isTimeZone(name)).toBe(isName);
});
