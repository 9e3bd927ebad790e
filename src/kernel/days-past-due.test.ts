import { describe, expect, it } from 'vitest';
import { daysPastDue } from './days-past-due.ts';

const at = (text: string) => Date.parse(text) / 1_000;

describe('days past due', () => {
  it.each([
    ['before the due day', '2026-03-10T12:00Z', '2026-03-09T12:00Z', 0],
    ['on the due day, before the instant', '2026-03-10T12:00Z', '2026-03-10T00:00Z', 0],
    ['on the due day, after the instant', '2026-03-10T00:00Z', '2026-03-10T23:59:59Z', 0],
    ['as the due day ends', '2026-03-10T12:00Z', '2026-03-11T00:00Z', 1],
    ['until the end of the first day', '2026-03-10T12:00Z', '2026-03-11T23:59:59Z', 1],
    ['on the second day', '2026-03-10T12:00Z', '2026-03-12T00:00Z', 2],
    ['whatever the hour it was due at', '2026-03-10T00:00Z', '2026-03-12T00:00Z', 2],
    ['whatever the hour it was due at, late', '2026-03-10T23:59:59Z', '2026-03-12T00:00Z', 2],
    ['over the end of February', '2026-02-28T08:00Z', '2026-03-02T00:00Z', 2],
    ['over a leap day', '2028-02-28T08:00Z', '2028-03-02T00:00Z', 3],
    ['a month later', '2026-03-10T12:00Z', '2026-04-10T00:00Z', 31],
  ])('%s', (_, dueAt, now, days) => {
    expect(daysPastDue(at(dueAt), at(now), 'UTC')).toBe(days);
  });

  it.each([
    ['at midnight there', 'Europe/Berlin', '2026-03-28T12:00+01:00', '2026-03-29T00:00+01:00', 1],
    ['a second before', 'Europe/Berlin', '2026-03-28T12:00+01:00', '2026-03-28T23:59:59+01:00', 0],
    [
      'at the end of a day of 23 hours',
      'Europe/Berlin',
      '2026-03-28T12:00+01:00',
      '2026-03-29T23:59:59+02:00',
      1,
    ],
    ['after a day of 23 hours', 'Europe/Berlin', '2026-03-28T12:00+01:00', '2026-03-30T00:00+02:00', 2],
    [
      'at the end of a day of 25 hours',
      'Europe/Berlin',
      '2026-10-24T12:00+02:00',
      '2026-10-25T23:59:59+01:00',
      1,
    ],
    ['after a day of 25 hours', 'Europe/Berlin', '2026-10-24T12:00+02:00', '2026-10-26T00:00+01:00', 2],
    ['west of UTC', 'America/New_York', '2026-07-01T23:59:59-04:00', '2026-07-02T00:00-04:00', 1],
    ['in UTC already the next day', 'America/New_York', '2026-07-01T12:00-04:00', '2026-07-02T03:59:59Z', 0],
    ['far in the east', 'Pacific/Kiritimati', '2026-07-01T00:00+14:00', '2026-06-30T10:00Z', 0],
    ['far in the east, a day later', 'Pacific/Kiritimati', '2026-07-01T00:00+14:00', '2026-07-01T10:00Z', 1],
  ])('%s: %s', (_, timeZone, dueAt, now, days) => {
    expect(daysPastDue(at(dueAt), at(now), timeZone)).toBe(days);
  });
});
