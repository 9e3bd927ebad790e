import { describe, expect, it } from 'vitest';
import { COUNTRIES, isCountry } from './country.ts';

describe('isCountry', () => {
  it.each(['DE', 'GB', 'GR', 'CH', 'NO', 'US', 'AX', 'SS', 'TW'])('accepts %j', (code) =>
    expect(isCountry(code)).toBe(true),
  );

  it.each([
    'XK',
    'XI',
    'UK',
    'EL',
    'EU',
    'AN',
    'ZZ',
    'de',
    'De',
    'DEU',
    '276',
    '',
    'D',
    'DE ',
    '__proto__',
    'constructor',
  ])('refuses %j', (code) => expect(isCountry(code)).toBe(false));

  it('has the 249 codes of ISO 3166-1, sorted and without duplicates', () => {
    expect(COUNTRIES).toHaveLength(249);
    expect(COUNTRIES).toEqual([...new Set(COUNTRIES)].sort());
    expect(COUNTRIES.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
  });
});
