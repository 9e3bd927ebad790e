import { type Formality, type Language, languageOfCountry } from '#kernel/language';
import { type PlatformRow, platformLanguage } from '#modules/platforms';
import type { BuyerOnFile } from './buyer-on-file.ts';

/**
 * How to write to a buyer. The language is the buyer's, else the one the platform has chosen, else the one of the buyer's
 * country, else the one of the platform's country.
 */
export function localeOfBuyer(
  { language, formality, country }: Pick<BuyerOnFile, 'language' | 'formality' | 'country'>,
  platform: Pick<PlatformRow, 'language' | 'formality' | 'country'>,
): { language: Language; formality: Formality } {
  const ofCountry = country === null ? null : languageOfCountry(country);
  return {
    language: language ?? platform.language ?? ofCountry ?? platformLanguage(platform),
    formality: formality ?? platform.formality,
  };
}
