import { describe, expect, it } from 'vitest';
import { readHttpDate, readRetryAfter } from './retry-after.ts';

const SINCE = Date.parse('2026-11-28T12:00:00Z') / 1_000;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 5 ', 5],
    ['999999999', 999_999_999],
    ['Sat, 28 Nov 2026 12:01:30 GMT', 90],
    ['Saturday, 28-Nov-26 12:01:30 GMT', 90],
    ['Sat Nov 28 12:01:30 2026', 90],
    // A date in the past.
    ['Sat, 28 Nov 2026 11:00:00 GMT', 0],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['1234567890', null],
    ['soon', null],
    ['5 seconds', null],
    ['2026-11-28T12:01:30Z', null],
    ['28 Nov 2026', null],
    ['Sat, 28 Nov 2026 12:01:30 CET', null],
    ['Sat, 99 Nov 2026 12:01:30 GMT', null],
    [null, null],
    [undefined, null],
  ])('%j is %s seconds', (text, seconds) => {
    expect(readRetryAfter(text, SINCE)).toBe(seconds);
  });

  it('counts no date from an instant that is not known', () => {
    expect(readRetryAfter('Sat, 28 Nov 2026 12:01:30 GMT', null)).toBeNull();
    expect(readRetryAfter('7', null)).toBe(7);
  });
});

describe('a date of HTTP', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777],
    ['Sun Nov  6 08:49:37 1994', 784_111_777],
    ['yesterday', null],
    [null, null],
  ])('%j is %s', (text, seconds) => {
    expect(readHttpDate(text)).toBe(seconds);
  });
});
