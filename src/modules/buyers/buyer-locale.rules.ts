import { type Formality, type Language, languageOfCountry } from '#kernel/language';
import { type PlatformRow, platformLanguage } from '#modules/platforms';

/** What is known about how a buyer wants to be written to. */
export interface BuyerPreferences {
  /** The language in the buyer's settings. */
  language: Language | null;
  formality: Formality | null;
  /** The language in which the buyer last placed an order in the checkout. */
  checkout_language: Language | null;
  /** ISO 3166-1 alpha-2; null while the buyer is only invited. */
  country: string | null;
}

/**
 * How to write to a buyer. The language is that of its settings, else the one it chose in the checkout, else that of its
 * country, else the platform's. The formality is that of its settings, else the platform's.
 */
export function localeOfBuyer(
  { language, formality, checkout_language, country }: BuyerPreferences,
  platform: Pick<PlatformRow, 'language' | 'formality' | 'country'>,
): { language: Language; formality: Formality } {
  const ofCountry = country === null ? null : languageOfCountry(country);
  return {
    language: language ?? checkout_language ?? ofCountry ?? platformLanguage(platform),
    formality: formality ?? platform.formality,
  };
}

/** The preferences that a row of `buyers` has. */
export function preferencesOf({
  language,
  formality,
  checkout_language,
  business_address: address,
}: Omit<BuyerPreferences, 'country'> & {
  business_address: { country: string | null } | null;
}): BuyerPreferences {
  return { language, formality, checkout_language, country: address?.country ?? null };
}
