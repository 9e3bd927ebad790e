import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from './language.ts';

describe('LANGUAGES', () => {
  it('are sorted, each once', () => expect(LANGUAGES).toEqual([...new Set(LANGUAGES)].sort()));

  it.each(LANGUAGES)('%s is a language the platform can name', (language) => {
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
    expect(language).toMatch(/^[A-Z]{2}$/);
    expect(names.of(language.toLowerCase())).toBeTypeOf('string');
  });
});

describe('FORMALITIES', () => {
  it('are three', () => expect(FORMALITIES).toEqual(['NEUTRAL', 'FORMAL', 'INFORMAL']));
});
