import { describe, expect, it } from 'vitest';
import { dayLater, dayOf, monthsLater } from './day.ts';

const at = (text: string) => Date.parse(text) / 1_000;

describe('months later', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
    ['2024-01-31T10:00:00Z', 1, '2024-02-29T10:00:00Z'],
    ['2025-11-30T00:00:00Z', 3, '2026-02-28T00:00:00Z'],
    ['2025-12-31T23:59:59Z', 1, '2026-01-31T23:59:59Z'],
    ['2026-03-31T12:00:00Z', -1, '2026-02-28T12:00:00Z'],
    ['2026-03-31T12:00:00Z', -6, '2025-09-30T12:00:00Z'],
    ['2026-01-15T12:00:00Z', -12, '2025-01-15T12:00:00Z'],
    ['2024-02-29T12:00:00Z', -12, '2023-02-28T12:00:00Z'],
    ['2024-02-29T12:00:00Z', -24, '2022-02-28T12:00:00Z'],
    ['2026-01-01T00:00:00Z', -24, '2024-01-01T00:00:00Z'],
    ['2026-05-05T05:05:05Z', 0, '2026-05-05T05:05:05Z'],
  ])('%s and %i are %s', (from, months, to) => {
    expect(monthsLater(at(from), months)).toBe(at(to));
  });
});

it('a day begins at midnight in UTC', () => {
  expect(dayOf(at('2026-01-01T00:00:00Z'))).toBe('2026-01-01');
  expect(dayOf(at('2025-12-31T23:59:59Z'))).toBe('2025-12-31');
});

it('no day is later than the last day of the year 9999', () => {
  expect(dayOf(253_402_300_799)).toBe('9999-12-31');
  expect(dayOf(253_402_300_800)).toBe('9999-12-31');
  expect(dayLater('9999-12-30', 1)).toBe('9999-12-31');
  expect(dayLater('9999-12-31', 1)).toBe('9999-12-31');
});
