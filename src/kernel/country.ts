// Only the codes: the package's own entry point loads the country names of 80 languages.
import type { Alpha2Code } from 'i18n-iso-countries';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/** An officially assigned ISO 3166-1 alpha-2 code. */
export type Country = Exclude<Alpha2Code, 'XK'>;

/** All codes, sorted. The package also has XK (Kosovo), which ISO 3166-1 leaves to users. */
export const COUNTRIES: readonly Country[] = codes
  .map(([alpha2]) => alpha2 as Alpha2Code)
  .filter((code) => code !== 'XK')
  .sort();

const known: ReadonlySet<string> = new Set(COUNTRIES);

/** Whether the text is a country code. Upper case only, as in ISO 3166-1: GB, not UK; GR, not EL. */
export function isCountry(code: string): code is Country {
  return known.has(code);
}
