import { type Language, languageOfCountry } from '#kernel/language';
import type { PlatformRow } from './platform.queries.ts';

/** The language for countries whose own language the service does not support. */
const LANGUAGE_ELSE: Language = 'EN';

/** The language of a platform: the one it has chosen, else that of its country. */
export function platformLanguage({ language, country }: Pick<PlatformRow, 'language' | 'country'>): Language {
  return language ?? languageOfCountry(country) ?? LANGUAGE_ELSE;
}
