import { describe, expect, it } from 'vitest';
import { daysPastDue } from './days-past-due.ts';

const at = (text: string) => Date.parse(`${text}Z`) / 1_000;

describe('days past due', () => {
  it.each([
    ['before the due day', '2026-03-10T12:00:00', '2026-03-09T12:00:00', 0],
    ['on the due day, before the instant', '2026-03-10T12:00:00', '2026-03-10T00:00:00', 0],
    ['on the due day, after the instant', '2026-03-10T00:00:00', '2026-03-10T23:59:59', 0],
    ['as the due day ends', '2026-03-10T12:00:00', '2026-03-11T00:00:00', 0],
    ['a second before the first whole day', '2026-03-10T12:00:00', '2026-03-11T23:59:59', 0],
    ['after a whole day', '2026-03-10T12:00:00', '2026-03-12T00:00:00', 1],
    ['whatever the hour it was due at', '2026-03-10T00:00:00', '2026-03-12T00:00:00', 1],
    ['whatever the hour it was due at, late', '2026-03-10T23:59:59', '2026-03-12T00:00:00', 1],
    ['over the end of February', '2026-02-28T08:00:00', '2026-03-02T00:00:00', 1],
    ['over a leap day', '2028-02-28T08:00:00', '2028-03-02T00:00:00', 2],
    ['a month later', '2026-03-10T12:00:00', '2026-04-10T00:00:00', 30],
  ])('%s', (_, dueAt, now, days) => {
    expect(daysPastDue(at(dueAt), at(now))).toBe(days);
  });
});
