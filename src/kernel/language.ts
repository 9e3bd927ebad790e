/** The languages of texts for buyers: ISO 639-1 codes in upper case, as in the API. */
export const LANGUAGES = [
  'AR',
  'BG',
  'CS',
  'DA',
  'DE',
  'EL',
  'EN',
  'ES',
  'ET',
  'FI',
  'FR',
  'GA',
  'HR',
  'HU',
  'IT',
  'JA',
  'LT',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'RU',
  'SK',
  'SL',
  'SV',
  'TR',
  'UK',
  'ZH',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a buyer is addressed in languages that distinguish it, such as du and Sie. */
export const FORMALITIES = ['NEUTRAL', 'FORMAL', 'INFORMAL'] as const;
export type Formality = (typeof FORMALITIES)[number];

/** Languages that ICU has under another code. */
const ICU_CODES: Readonly<Record<string, Language>> = { nb: 'NO', nn: 'NO' };

/** A cache: ICU takes 50 µs per lookup, and every page needs one. */
const languagesOfCountries = new Map<string, Language | null>();

/** The language that most people of a country (ISO 3166-1 alpha-2) write, by ICU; null if it is not one of ours. */
export function languageOfCountry(country: string): Language | null {
  const known = languagesOfCountries.get(country);
  if (known !== undefined) return known;
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  const found = ICU_CODES[language] ?? LANGUAGES.find((each) => each.toLowerCase() === language) ?? null;
  languagesOfCountries.set(country, found);
  return found;
}
