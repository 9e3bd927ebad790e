/**
 * Validates postcodes by the format of their country. The formats follow libaddressinput, Google's data of postal addresses (Apache-2.0),
 * for the countries in which it requires a postcode, and for those of Europe in which every address has one. For every other country any
 * text is accepted, because addresses there often have no postcode.
 */
import type { Country } from './country.ts';

/** The pattern of the postcode without spaces, dashes and dots; an example as it is usually written; and the countries. */
const SHAPES: readonly [pattern: string, example: string, countries: string][] = [
  ['\\d{3}', '101', 'IS'],
  ['\\d{4}', '1010', 'AT AU BE BG CH CY DK GL HU LI LU NO NZ SI SJ ZA'],
  ['\\d{4}', 'LV-1010', 'LV'],
  // The three digits after the dash were added in 1998 and are often omitted.
  ['\\d{4}(?:\\d{3})?', '1250-096', 'PT'],
  ['\\d{5}', '10115', 'AX BL DE EE ES FI GF GP HR IT MF MQ MX MY NC PF PM RE SM TR UA WF YT'],
  ['\\d{5}', 'LT-01103', 'LT'],
  ['\\d{5}', '110 00', 'CZ GR SE SK'],
  ['\\d{5}', '00-950', 'PL'],
  ['\\d{5}(?:CEDEX\\d{0,2})?', '75002', 'FR MC'],
  // Until 2015, postcodes had six digits.
  ['\\d{5,6}', '03051', 'KR'],
  ['\\d{5}(?:\\d{4})?', '10001', 'AS FM GU MH MP PR PW US VI'],
  ['\\d{6}', '100044', 'CN IN RO RU SG'],
  ['\\d{7}', '100-0001', 'JP'],
  ['\\d{8}', '01310-100', 'BR'],
  ['\\d{3}(?:\\d{2,3})?', '100', 'TW'],
  ['[A-CEGHJ-NPR-TVXY]\\d[A-CEGHJ-NPR-TV-Z]\\d[A-CEGHJ-NPR-TV-Z]\\d', 'K1A 0B1', 'CA'],
  // Overseas territories have codes of letters, such as FIQQ 1ZZ.
  [
    '[A-Z]{1,2}\\d[A-Z\\d]?\\d[A-Z]{2}|GIR0AA|BFPO\\d{1,4}|[A-Z]{4}1ZZ',
    'SW1A 1AA',
    'FK GB GG GS IM IO JE PN SH TC',
  ],
  // An Eircode, its routing key alone, or a postal district of Dublin from before Eircodes.
  ['(?:[AC-FHKNPRTV-Y]\\d{2}|D6W)(?:[\\dAC-FHKNPRTV-Y]{4})?|D(?:UBLIN)?(?:\\d{1,2}|6W)', 'D02 X285', 'IE'],
  ['[A-Z]{3}\\d{2,4}', 'VLT 1117', 'MT'],
  ['[1-9]\\d{3}[A-Z]{2}', '1012 AB', 'NL'],
];

/** Country signs, other than the ISO 3166-1 code, that are written before postcodes. */
const SIGNS: Partial<Record<Country, string>> = {
  AT: 'A',
  BE: 'B',
  DE: 'D',
  ES: 'E',
  FI: 'FIN|SF',
  FR: 'F',
  GB: 'UK',
  HU: 'H',
  IT: 'I',
  LI: 'FL',
  LU: 'L',
  NO: 'N',
  PT: 'P',
  SE: 'S',
  SI: 'SLO',
};

const FORMATS: ReadonlyMap<string, { format: RegExp; example: string }> = new Map(
  SHAPES.flatMap(([pattern, example, countries]) =>
    countries.split(' ').map((country) => {
      const sign = [country, SIGNS[country as Country]].filter((each) => each !== undefined).join('|');
      return [country, { format: new RegExp(`^(?:${sign})?(?:${pattern})$`), example }] as const;
    }),
  ),
);

/** Spaces, dashes and dots, which only group. */
const GROUPING = /[\s.\p{Dash_Punctuation}]/gu;

/**
 * Whether the text has the format of the country's postcodes, with or without the country sign. Any text passes for a country without a
 * format.
 */
export function isPostcode(text: string, country: string): boolean {
  const known = FORMATS.get(country);
  if (known === undefined) return true;
  return known.format.test(text.normalize('NFKC').toUpperCase().replaceAll(GROUPING, ''));
}

/** An example postcode of the country; null if any text is accepted. */
export function postcodeExample(country: string): string | null {
  return FORMATS.get(country)?.example ?? null;
}
