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
