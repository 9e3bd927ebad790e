import { type Language, languageOfCountry } from '#kernel/language';
import type { PlatformRow } from './platform.queries.ts';

/** Used where a country has a language that the service does not write. */
const LANGUAGE_ELSE: Language = 'EN';

/** The language of a platform: the one it has chosen, else the one of its country. */
export function platformLanguage({ language, country }: Pick<PlatformRow, 'language' | 'country'>): Language {
  return language ?? languageOfCountry(country) ?? LANGUAGE_ELSE;
}
