/** VAT numbers by the format of their country. Whether one exists is the registry's to say, not a regular expression's. */
import { countries } from 'jsvat-next';
import { isBlank } from './text.ts';

/**
 * Where the library strays from what is issued, measured against the table of the Commission's VIES (question 11 of its
 * FAQ), which vero.fi ("VAT numbers issued by different EU countries") prints with notes. Each entry replaces the
 * library's.
 */
const CORRECTIONS: Record<string, readonly RegExp[]> = {
  // The library knows digits only. Since July 2026 a CNPJ may have letters (Instrução Normativa RFB 2.229/2024).
  BR: [/^BR[0-9A-Z]{12}\d{2}$/],
  // The library also takes three digits more: the code of the tax office, which gov.uk's list says to leave out.
  CZ: [/^CZ\d{8,10}$/],
  // The library wants 10 in front. All begin so today; the table says nine digits and promises nothing about them.
  EE: [/^EE\d{9}$/],
  // The library refuses a control letter after J, U or V. The table: the first or the last may be a letter, or both.
  ES: [/^ES(?:[A-Z]\d{7}[0-9A-Z]|\d{8}[A-Z])$/],
  // The library knows nine digits under XI. Northern Ireland's branches and public bodies have one as under GB.
  GB: [/^(?:GB|XI)(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/],
  // The library knows A and H as second letter at the end, and refuses the W of older sole traders; the table has any.
  // With a letter in second place it wants 7, 8 or 9 before it; the table has any digit.
  IE: [/^IE(?:\d{7}[A-W][A-Z]?|\d[A-Z+*]\d{5}[A-W])$/],
  // The library demands MVA. The organisation number is the number; MVA says on an invoice that its owner charges VAT.
  NO: [/^NO\d{9}(?:MVA)?$/],
  // The library limits the third digit. The table says ten digits.
  SK: [/^SK[1-9]\d{9}$/],
};

/** Prefixes that are not the country's ISO code. */
const PREFIXES: Record<string, readonly string[]> = { CH: ['CHE'], GB: ['GB', 'XI'], GR: ['EL'] };

const FORMATS: ReadonlyMap<string, readonly RegExp[]> = new Map(
  countries.map(({ codes: [country = ''], rules }) => [country, CORRECTIONS[country] ?? rules.regex]),
);

/** Spaces, dots, dashes and slashes group the digits on paper and mean nothing. */
const GROUPING = /[\s./\p{Dash_Punctuation}]/gu;

const UNKNOWN_FORMAT = /^[^\p{C}\p{Zl}\p{Zp}]{2,48}$/u;

/**
 * Whether the value looks like a VAT number of the country (ISO 3166-1 alpha-2), with or without its prefix. Check digits
 * are not looked at: a false refusal would lock out a real company. Of a country nobody described, any value will do.
 */
export function isVatIdFormat(value: string, country: string): boolean {
  const formats = FORMATS.get(country);
  if (formats === undefined) return UNKNOWN_FORMAT.test(value) && !isBlank(value);
  const compact = value.replaceAll(GROUPING, '').toUpperCase();
  // Rather than cut off a prefix, try with one: the number itself may begin like it, as French keys of two letters do.
  const bare = compact.startsWith(country) ? compact.slice(2) : compact;
  const spellings = (PREFIXES[country] ?? [country]).flatMap((prefix) => [prefix + compact, prefix + bare]);
  return [compact, ...spellings].some((text) => formats.some((format) => format.test(text)));
}
