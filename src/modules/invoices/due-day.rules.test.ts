import { describe, expect, it } from 'vitest';
import { calendarDayOf, daysSince, endOfDay } from './due-day.rules.ts';

const at = (text: string) => Date.parse(text) / 1_000;

describe('a due day', () => {
  it('ends with its last second', () => {
    expect(endOfDay(at('2026-01-31T00:00:00Z'))).toBe(at('2026-02-01T00:00:00Z'));
    expect(endOfDay(at('2026-01-31T23:59:59Z'))).toBe(at('2026-02-01T00:00:00Z'));
    expect(calendarDayOf(at('2026-01-31T23:59:59Z'))).toBe('2026-01-31');
  });

  it('was one day ago from the first second of the next day on', () => {
    expect(daysSince('2026-01-31', at('2026-01-31T23:59:59Z'))).toBe(0);
    expect(daysSince('2026-01-31', at('2026-02-01T00:00:00Z'))).toBe(1);
    expect(daysSince('2026-01-31', at('2026-03-01T12:00:00Z'))).toBe(29);
  });
});
