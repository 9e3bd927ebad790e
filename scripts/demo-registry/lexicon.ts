/** The parts of a country's company data. A list is one text with items separated by |. */
export interface Lexicon {
  /** Names of persons, for sole traders. */
  given: string;
  surnames: string;
  /** Beginnings and endings of invented words: Morgalis, Tarvenor. */
  openings: string;
  endings: string;
  trades: string;
  /** The beginning of a very long name. */
  purpose: string;
  /** The word for and in company names. */
  and: string;
  /** Name and postcode of each: `Berlin: 10###`; # is any digit, @ any capital. */
  cities: string;
  streets: string;
  poBox: string;
  /** Patterns of the numbers, with the same signs; '' if companies have none. */
  vatId: string;
  taxId: string;
  registerId: string;
  /** The position of the legal form: Foo GmbH, UAB Foo, „Фу“ ООД, 株式会社フー. */
  order: 'behind' | 'in front' | 'quoted behind' | 'quoted in front' | 'joined';
  /** Transliteration of another alphabet: by letter, or by the parts of invented words. */
  latin?: 'by letter' | Readonly<Record<string, string>>;
  /** The code of the most frequent form, if it is not the first limited one. */
  usualForm?: string;
  /** Legal forms of countries that are missing in the table of legal forms. */
  forms?: string;
}
