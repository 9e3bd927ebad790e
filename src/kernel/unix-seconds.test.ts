import { describe, expect, it } from 'vitest';
import { isUnixSeconds, UNIX_SECONDS_MAX } from './unix-seconds.ts';

describe('isUnixSeconds', () => {
  it.each([0, 1, 1_767_225_600, 253_402_300_799])('accepts %d', (value) =>
    expect(isUnixSeconds(value)).toBe(true),
  );

  it.each([-1, 253_402_300_800, 1e15, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) =>
    expect(isUnixSeconds(value)).toBe(false),
  );

  it('ends with the year 9999', () =>
    expect(new Date(UNIX_SECONDS_MAX * 1000).toISOString()).toBe('9999-12-31T23:59:59.000Z'));
});
