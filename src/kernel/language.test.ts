import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES, languageOfCountry } from './language.ts';

describe('LANGUAGES', () => {
  it('are sorted, each once', () => expect(LANGUAGES).toEqual([...new Set(LANGUAGES)].sort()));

  it.each(LANGUAGES)('%s is a language the platform can name', (language) => {
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    expect(language).toMatch(/^[A-Z]{2}$/);
    expect(names.of(language.toLowerCase())).toBeTypeOf('string');
  });
});

describe('languageOfCountry', () => {
  it.each([
    ['DE', 'DE'],
    ['AT', 'DE'],
    ['CH', 'DE'],
    ['FR', 'FR'],
    ['LU', 'FR'],
    ['BE', 'NL'],
    ['GB', 'EN'],
    ['IE', 'EN'],
    ['MT', 'MT'],
    ['NO', 'NO'],
    ['CY', 'EL'],
    ['UA', 'UK'],
    ['BR', 'PT'],
    ['TW', 'ZH'],
    ['SA', 'AR'],
    ['KR', null],
    ['RS', null],
  ])('of %s is %s', (country, language) => {
    expect(languageOfCountry(country)).toBe(language);
  });
});

describe('FORMALITIES', () => {
  it('are three', () => expect(FORMALITIES).toEqual(['NEUTRAL', 'FORMAL', 'INFORMAL']));
});
