/** What a country's companies are made of. Lists are written in one text, with | between. */
export interface Lexicon {
  /** Of people: a sole trader is called by them. */
  given: string;
  surnames: string;
  /** Beginnings and endings of words that do not exist: Morgalis, Tarvenor. */
  openings: string;
  endings: string;
  trades: string;
  /** What a very long name begins with. */
  purpose: string;
  /** And, as companies write it. */
  and: string;
  /** Name and postcode of each: `Berlin: 10###`; # is any digit, @ any capital. */
  cities: string;
  streets: string;
  poBox: string;
  /** How the numbers look, in the same signs; '' where companies have none. */
  vatId: string;
  taxId: string;
  registerId: string;
  /** Where the legal form stands: Foo GmbH, UAB Foo, „Фу“ ООД, 株式会社フー. */
  order: 'behind' | 'in front' | 'quoted behind' | 'quoted in front' | 'joined';
  /** How another alphabet is written in Latin letters: letter by letter, or by the parts of coined words. */
  latin?: 'by letter' | Readonly<Record<string, string>>;
  /** The code of the form that most companies have, where it is not the first of the limited ones. */
  usualForm?: string;
  /** Of countries that the table of legal forms leaves out. */
  forms?: string;
}
