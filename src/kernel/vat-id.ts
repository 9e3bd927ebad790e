/** Validates VAT numbers by the format and check digit of their country. Only a registry knows whether a number exists. */
import { countries } from 'jsvat-next';
import { isBlank } from './text.ts';
import { CHECK_DIGITS } from './vat-check-digit.ts';

/**
 * Corrections of the library for numbers in use, verified against the table of the Commission's VIES (question 11 of its FAQ), which
 * vero.fi ("VAT numbers issued by different EU countries") prints with notes. Each entry replaces the library's.
 */
const CORRECTIONS: Record<string, readonly RegExp[]> = {
  // The library accepts digits only. Since July 2026 a CNPJ may have letters (Instrução Normativa RFB 2.229/2024).
  BR: [/^(BR)([0-9A-Z]{12}\d{2})$/],
  // The library also accepts three more digits: the code of the tax office, which gov.uk's list says to omit.
  CZ: [/^(CZ)(\d{8,10})$/],
  // The library requires 10 at the beginning. All numbers begin with 10 today; the table says nine digits.
  EE: [/^(EE)(\d{9})$/],
  // The library refuses a control letter after J, U or V. In the table the first or the last character, or both, may be
  // letters.
  ES: [/^(ES)([A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/],
  // The library accepts nine digits under XI. Branches and public bodies in Northern Ireland have the same forms as under GB.
  GB: [/^(GB|XI)(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/],
  // The library accepts only A and H as the second letter at the end, and refuses the W of older sole traders; the
  // table has any letter. With a letter in second place it requires 7, 8 or 9 before it; the table has any digit.
  IE: [/^(IE)(\d{7}[A-W][A-Z]?|\d[A-Z+*]\d{5}[A-W])$/],
  // The library requires MVA. The organisation number is sufficient; MVA on an invoice says that its owner charges VAT.
  NO: [/^(NO)(\d{9})(?:MVA)?$/],
  // The library limits the third digit. The table says ten digits.
  SK: [/^(SK)([1-9]\d{9})$/],
};

/** Prefixes that are not the country's ISO code. */
const PREFIXES: Record<string, readonly string[]> = { CH: ['CHE'], GB: ['GB', 'XI'], GR: ['EL'] };

/** The second group of a pattern is the number without its prefix. */
interface VatFormat {
  patterns: readonly RegExp[];
  hasCheckDigit(number: string): boolean;
}

const FORMATS: ReadonlyMap<string, VatFormat> = new Map(
  countries.map(({ codes: [country = ''], rules, calcFn }) => [
    country,
    {
      patterns: CORRECTIONS[country] ?? rules.regex,
      hasCheckDigit: CHECK_DIGITS[country] ?? ((number) => calcFn(number)),
    },
  ]),
);

/** Spaces, dots, dashes and slashes, which only group the digits. */
const GROUPING = /[\s./\p{Dash_Punctuation}]/gu;

const UNKNOWN_FORMAT = /^[^\p{C}\p{Zl}\p{Zp}]{2,48}$/u;

/**
 * Whether the value is a VAT number of the country (ISO 3166-1 alpha-2), with or without its prefix. It must have the country's format, and
 * the correct check digit if the country has one. Any value passes for a country without a format.
 */
export function isVatId(value: string, country: string): boolean {
  const format = FORMATS.get(country);
  if (format === undefined) return isOfUnknownFormat(value);
  return numbersOf(value, country, format).some((number) => format.hasCheckDigit(number));
}

/**
 * Whether the value has the format of the country's VAT numbers, regardless of the check digit. For numbers that come from other sources.
 */
export function isVatIdFormat(value: string, country: string): boolean {
  const format = FORMATS.get(country);
  return format === undefined ? isOfUnknownFormat(value) : numbersOf(value, country, format).length > 0;
}

const isOfUnknownFormat = (value: string) => UNKNOWN_FORMAT.test(value) && !isBlank(value);

/** Every possible reading of the value: the number without prefix. */
function numbersOf(value: string, country: string, { patterns }: VatFormat): string[] {
  const compact = value.replaceAll(GROUPING, '').toUpperCase();
  // Also tries the whole value with a prefix: the number itself may begin with the same letters, as French keys can.
  const bare = compact.startsWith(country) ? compact.slice(2) : compact;
  const spellings = (PREFIXES[country] ?? [country]).flatMap((prefix) => [prefix + compact, prefix + bare]);
  return [compact, ...spellings].flatMap((text) =>
    patterns.flatMap((pattern) => pattern.exec(text)?.[2] ?? []),
  );
}
