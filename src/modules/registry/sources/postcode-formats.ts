import type { Country } from '#kernel/country';

/**
 * Countries whose last address line is the postcode, then the place (Universal Postal Union, Postal Addressing
 * Systems), with the format of their postcode. Lines of other countries are not split.
 */
const POSTCODE_BEFORE_PLACE: Partial<Record<Country, string>> = {
  AT: '\\d{4}',
  BE: '\\d{4}',
  BG: '\\d{4}',
  CH: '\\d{4}',
  CY: '\\d{4}',
  CZ: '\\d{3} ?\\d{2}',
  DE: '\\d{5}',
  DK: '\\d{4}',
  EE: '\\d{5}',
  ES: '\\d{5}',
  FI: '\\d{5}',
  FR: '\\d{5}',
  GR: '\\d{3} ?\\d{2}',
  HR: '\\d{5}',
  IT: '\\d{5}',
  LI: '\\d{4}',
  LT: '\\d{5}',
  LU: '\\d{4}',
  MC: '\\d{5}',
  NL: '\\d{4} ?[A-Z]{2}',
  NO: '\\d{4}',
  PL: '\\d{2}-\\d{3}',
  PT: '\\d{4}-\\d{3}',
  SE: '\\d{3} ?\\d{2}',
  SI: '\\d{4}',
  SK: '\\d{3} ?\\d{2}',
};

/** Countries that write the house number after the street. The others use both orders. */
const HOUSE_AFTER_STREET = new Set<string>(
  'AT BE CH CZ DE DK EE FI HR IT LI LT NL NO PL SE SI SK'.split(' '),
);
const HOUSE_BEFORE_STREET = new Set<string>('AU CA FR GB IE LU MC NZ US'.split(' '));

const HOUSE_NUMBER = '\\d{1,5} ?[A-Z]?(?: ?[-–/+] ?(?:\\d{1,5} ?[A-Z]?|[A-Z]))*';
const STREET_THEN_HOUSE = new RegExp(`^(?<street>.*\\p{L}\\S*?),? +(?<house>${HOUSE_NUMBER})$`, 'iu');
const HOUSE_THEN_STREET =
  /^(?<house>\d{1,5}(?: ?(?:BIS|TER|QUATER|[A-Z]))?(?: ?- ?\d{1,5} ?[A-Z]?)?),? +(?<street>\p{L}.*)$/iu;
/**
 * After one of these words, a number belongs to a flat, a floor, a plot, a road or a box, or its meaning is uncertain.
 */
const OTHER_NUMBER_AFTER = [
  ...[
    'apt',
    'app',
    'appartement',
    'bte',
    'boîte',
    'box',
    'bus',
    'etage',
    'floor',
    'hala',
    'int',
    'interno',
    'km',
  ],
  ...[
    'lok',
    'lokal',
    'lot',
    'lotto',
    'm',
    'n',
    'no',
    'nr',
    'n°',
    'og',
    'parcela',
    'plan',
    'pok',
    'provinciale',
  ],
  ...[
    'room',
    'sc',
    'scala',
    'stabile',
    'statale',
    'suite',
    'top',
    'unit',
    'wohnung',
    'zona',
    'zone',
    'č',
    'čp',
  ],
];
const OTHER_NUMBER = new RegExp(`(?:^|[\\s.,])(?:${OTHER_NUMBER_AFTER.join('|')})\\.?$`, 'i');

/** Splits the last line of an address; null unless the country's format matches exactly. */
export function splitPostalLine(line: string, country: string): { postcode: string; city: string } | null {
  const form = POSTCODE_BEFORE_PLACE[country as Country];
  if (form === undefined) return null;
  const match = new RegExp(`^(?:${country}[- ]?|[A-Z]-)?(${form})(?: -)? +(\\p{L}.*)$`, 'iu').exec(line);
  if (!match?.[1] || !match[2]) return null;
  // Italian lines end with the two letters of the province.
  const city = country === 'IT' ? match[2].replace(/(?<=\p{L}.*) \(?[A-Z]{2}\)?$/u, '') : match[2];
  return { postcode: match[1].toUpperCase(), city };
}

/** Splits a single line into street, postcode and place, for countries where only one reading is possible. */
export function splitWholeLine(line: string, country: string): { street: string; postalLine: string } | null {
  if (country !== 'GR' && country !== 'EE') return null;
  const match = /^(?<street>\P{Nd}.*?),? +(?<postalLine>\d{5}(?: -)? +\P{Nd}+)$/u.exec(line);
  const { street, postalLine } = match?.groups ?? {};
  return street && postalLine && !/\b\d{5}\b/.test(street) ? { street, postalLine } : null;
}

/** Splits a street line; null if it is uncertain which number is the house number. */
export function splitStreetLine(line: string, country: string): { street: string; house: string } | null {
  const isAfter = HOUSE_AFTER_STREET.has(country);
  if (!isAfter && !HOUSE_BEFORE_STREET.has(country)) return null;
  const { street, house } = (isAfter ? STREET_THEN_HOUSE : HOUSE_THEN_STREET).exec(line)?.groups ?? {};
  if (!street || !house || OTHER_NUMBER.test(street) || (isAfter && isYear(house))) return null;
  // Some registries pad the number with zeros: KERKSTRAAT 00012 A.
  return { street, house: house.replace(/^0+(?=\d)/, '') };
}

/** Streets are named after years: Plein 1944, Via XXV Aprile 1945. */
function isYear(house: string): boolean {
  return /^(1[789]|20)\d\d$/.test(house);
}
