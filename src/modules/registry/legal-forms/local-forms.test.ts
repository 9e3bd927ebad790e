import { describe, expect, it } from 'vitest';
import { isCountry } from '#kernel/country';
import { LEGAL_FORMS } from '#kernel/fields';
import { LANGUAGES } from '#kernel/language';
import { LEGAL_FORM_NAMES } from '../legal-form.names.ts';
import { compactKey } from '../legal-form.spelling.ts';
import { COUNTRY_FORMS, LOCAL_FORMS } from './local-forms.ts';

const DEMANDED =
  'DE AT CH NL BE LU FR IT ES PT PL CZ SK RO BG HU HR SI LT LV EE GR DK SE NO FI IE MT CY GB US CA AU NZ JP TR UA';

const forms = [...LOCAL_FORMS.values()].flat();

describe('the tables', () => {
  it('describe the countries they were made for', () => {
    expect([...LOCAL_FORMS.keys()].sort()).toEqual(DEMANDED.split(' ').sort());
    expect([...LOCAL_FORMS.keys()].every(isCountry)).toBe(true);
  });

  it('have a code once, and under its own country', () => {
    const codes = forms.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    for (const { code, country } of forms) expect(code).toMatch(new RegExp(`^${country}(_[A-Z0-9]+)+$`));
  });

  describe.each([...LOCAL_FORMS])('%s', (country, local) => {
    it('has between 10 and 50 forms, among them every usual kind', () => {
      expect(local.length).toBeGreaterThanOrEqual(10);
      expect(local.length).toBeLessThanOrEqual(50);
      const kinds = new Set(local.map(({ legalForm }) => legalForm));
      // The law of these three countries has no separate form of share company for the public.
      const missing = ['US', 'CA', 'NZ'].includes(country) ? ['PUBLIC_COMPANY'] : [];
      expect(LEGAL_FORMS.filter((value) => !kinds.has(value))).toEqual(missing);
    });

    it('is worded in all its languages, the first of them first', () => {
      const { languages } = COUNTRY_FORMS[country as keyof typeof COUNTRY_FORMS];
      for (const { code, displayNames } of local) {
        expect([code, [...displayNames.keys()]]).toEqual([code, [...languages]]);
        for (const name of displayNames.values()) expect(name).toMatch(/^\S.*\S$/);
      }
    });

    it('spells no two forms alike', () => {
      const owners = new Map<string, string>();
      for (const { code, readings } of local) {
        for (const key of readings.map(compactKey)) {
          expect(key).not.toBe('');
          expect([key, owners.get(key) ?? code]).toEqual([key, code]);
          owners.set(key, code);
        }
      }
    });
  });
});

describe('the seven names', () => {
  it.each(LANGUAGES)('are there in %s, each another', (language) => {
    const names = LEGAL_FORMS.map((value) => LEGAL_FORM_NAMES[value][language]);
    expect(names.every((name) => /^\S.*\S$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(7);
  });

  it('are in no language but the 31', () => {
    for (const value of LEGAL_FORMS)
      expect(Object.keys(LEGAL_FORM_NAMES[value]).sort()).toEqual([...LANGUAGES]);
  });

  it.each([
    ['AR', /^[\p{Script=Arabic}\s]+$/u],
    ['BG', /^[\p{Script=Cyrillic}\s]+$/u],
    ['EL', /^[\p{Script=Greek}\s]+$/u],
    ['JA', /[\p{Script=Han}\p{Script=Katakana}]/u],
    ['RU', /^[\p{Script=Cyrillic}\s-]+$/u],
    ['UK', /^[\p{Script=Cyrillic}\s-]+$/u],
    ['ZH', /^\p{Script=Han}+$/u],
  ] as const)('are in the script of %s', (language, script) => {
    for (const value of LEGAL_FORMS) expect(LEGAL_FORM_NAMES[value][language]).toMatch(script);
  });
});
