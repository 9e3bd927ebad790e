/** All tables as one, by country, in the form that the rest of the module uses. */
import type { Country } from '#kernel/country';
import { LEGAL_FORMS, type LegalForm } from '#kernel/fields';
import type { Language } from '#kernel/language';
import { EE, LT, LV } from './baltics.ts';
import { BE } from './belgium.ts';
import { GB, IE } from './british-isles.ts';
import { HR, SI } from './croatia-slovenia.ts';
import { CZ, SK } from './czechia-slovakia.ts';
import { FI } from './finland.ts';
import { FR } from './france.ts';
import { AT, DE } from './germany-austria.ts';
import { CY, GR, MT } from './greece-cyprus-malta.ts';
import { IT } from './italy.ts';
import { LU, NL } from './netherlands-luxembourg.ts';
import { CA, US } from './north-america.ts';
import { AU, JP, NZ } from './pacific.ts';
import { HU, PL } from './poland-hungary.ts';
import { BG, RO } from './romania-bulgaria.ts';
import { DK, NO, SE } from './scandinavia.ts';
import { ES, PT } from './spain-portugal.ts';
import { CH } from './switzerland.ts';
import type { CountryForms, FormRow, Wording } from './table.ts';
import { TR, UA } from './turkey-ukraine.ts';

export const COUNTRY_FORMS = {
  ...{ AT, AU, BE, BG, CA, CH, CY, CZ, DE, DK, EE, ES, FI, FR, GB, GR, HR, HU, IE, IT, JP, LT, LU, LV, MT },
  ...{ NL, NO, NZ, PL, PT, RO, SE, SI, SK, TR, UA, US },
} satisfies Partial<Record<Country, CountryForms>>;
export type TabledCountry = keyof typeof COUNTRY_FORMS;

export interface LocalForm {
  code: string;
  country: TabledCountry;
  legalForm: LegalForm;
  elfCode: string | null;
  /** Full name and abbreviation in each language of the country, the main language first. */
  displayNames: ReadonlyMap<Language, string>;
  /** Spellings in the name of a company of this form. */
  affixes: readonly string[];
  /** All spellings that registries use, including the affixes. */
  readings: readonly string[];
}

/**
 * Values whose full name also occurs in company names: Foo Gesellschaft mit beschränkter Haftung. Foo Stiftung is a
 * name.
 */
const NAMED_IN_FULL: ReadonlySet<LegalForm> = new Set(['LIMITED_COMPANY', 'PUBLIC_COMPANY', 'PARTNERSHIP']);

export const LOCAL_FORMS: ReadonlyMap<string, readonly LocalForm[]> = new Map(
  Object.entries(COUNTRY_FORMS).map(([country, { languages, forms }]) => [
    country,
    LEGAL_FORMS.flatMap((legalForm) =>
      forms[legalForm].map((row) => localForm(country as TabledCountry, languages[0], legalForm, row)),
    ),
  ]),
);

function localForm(
  country: TabledCountry,
  language: Language,
  legalForm: LegalForm,
  [code, elfCode, wording, registries = '']: FormRow,
): LocalForm {
  const wordings = typeof wording === 'string' ? { [language]: wording } : wording;
  const spelled = Object.values(wordings).map(split);
  const affixes = spelled.flatMap(([name = '', ...more]) =>
    NAMED_IN_FULL.has(legalForm) ? [name, ...more] : more,
  );
  return {
    code,
    country,
    legalForm,
    elfCode,
    displayNames: new Map(
      Object.entries(wordings).map(([key, words]) => [key as Language, displayName(words)]),
    ),
    affixes,
    readings: [...spelled.flat(), ...split(registries)],
  };
}

function split(words: Wording): string[] {
  return words.split('; ').filter((word) => word !== '');
}

function displayName(words: Wording): string {
  const [name = '', shown = name] = split(words);
  if (shown.toLowerCase() === name.toLowerCase()) return name;
  return /\(/.test(name + shown) ? `${name}, ${shown}` : `${name} (${shown})`;
}
