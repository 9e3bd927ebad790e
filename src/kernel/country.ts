// The codes alone: the package's own entry point loads the country names of 80 languages.
import type { Alpha2Code } from 'i18n-iso-countries';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/** An officially assigned ISO 3166-1 alpha-2 code. */
export type Country = Exclude<Alpha2Code, 'XK'>;

/** All of them, sorted. XK (Kosovo) is in the package and not in ISO 3166-1, which leaves X codes to users. */
export const COUNTRIES: readonly Country[] = codes
  .map(([alpha2]) => alpha2 as Alpha2Code)
  .filter((code) => code !== 'XK')
  .sort();

const known: ReadonlySet<string> = new Set(COUNTRIES);

/** Upper case only, as ISO writes it. GB, not UK; GR, not EL. */
export function isCountry(code: string): code is Country {
  return known.has(code);
}
