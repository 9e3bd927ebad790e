/**
 * Converts the addresses of registries to our six fields. Nothing is guessed: uncertain parts stay in `street` or
 * `additional`, and the country is always set.
 */
import type { Address } from '#kernel/address';
import { splitPostalLine, splitStreetLine, splitWholeLine } from './postcode-formats.ts';
import { readText } from './registry-json.ts';

export interface KnownAddress {
  /** The lines above postcode and city, in order. */
  lines: (string | null)[];
  /** The house number, if the registry has a field for it. */
  house?: string | null;
  /** Lines that are certainly not a street. */
  additional?: (string | null)[];
  postcode: string | null;
  city: string | null;
  country: string;
}

const STREET_LENGTH_MAX = 140;
const HOUSE_LENGTH_MAX = 20;
const POSTCODE_LENGTH_MAX = 16;
const CITY_LENGTH_MAX = 100;

/** A post box or a recipient: it belongs in `additional`, even if there is no other line. */
const NO_STREET =
  /^(?:c\/o|care of|(?:(?:p\.? ?o\.? ?)?box|apartado|boîte postale|b\.?p\.?|casella postale|postboks|postbus|postfach) *(?:n[°ºr.]* *)?\d)/i;

/** In some registries the last line is the country's name in its own language. */
const COUNTRY_LINE: Record<string, RegExp> = {
  CZ: /^Česká republika$/i,
  SK: /^(?:Slovensko|Slovenská republika)$/i,
};

/** An address that the registry publishes in separate parts. */
export function postalAddressOf({ lines, house, additional = [], ...known }: KnownAddress): Address {
  const given = lines.filter((line) => line !== null);
  const beside = given.filter((line) => NO_STREET.test(line));
  const candidates = given.filter((line) => !NO_STREET.test(line));
  const streets = candidates.filter((line) => splitStreetLine(line, known.country));
  // If there are several lines, the one with a house number is the street: a building or a district has none.
  const line = (streets.length === 1 ? streets[0] : candidates[0]) ?? null;
  const parts = line !== null && streets.length === 1 ? splitStreetLine(line, known.country) : null;
  const rest = candidates.filter((candidate) => candidate !== line);
  const others = [...rest, ...beside, ...additional].filter((other) => other !== null);
  return withinLengths({
    street: parts?.street ?? line,
    house: parts?.house ?? (line !== null && house != null && !line.includes(house) ? house : null),
    postcode: known.postcode,
    city: known.city,
    country: known.country,
    additional: withoutCity(others, known.city).join(', ') || null,
  });
}

/** An address in one text, with line breaks or commas. */
export function parseAddressText(text: string, country: string): Address {
  const lines = text.split(/\r\n|\r|\n/).map(readText);
  const given = lines.filter((line) => line !== null).filter((line) => !COUNTRY_LINE[country]?.test(line));
  const parts = given.length === 1 ? partsOf(given[0] ?? '') : given;
  const postal = splitPostalLine(parts.at(-1) ?? '', country);
  if (postal) return postalAddressOf({ lines: parts.slice(0, -1), ...postal, country });
  const whole = given.length === 1 ? splitWholeLine(given[0] ?? '', country) : null;
  const wholePostal = whole && splitPostalLine(whole.postalLine, country);
  if (whole && wholePostal) return postalAddressOf({ lines: [whole.street], ...wholePostal, country });
  const uncertain = { house: null, postcode: null, city: null, additional: null, country };
  return withinLengths({ ...uncertain, street: given.join(', ') || null });
}

function partsOf(line: string): string[] {
  return line
    .split(/, +/)
    .map(readText)
    .filter((part) => part !== null);
}

/** Some registries repeat the place above the line with the postcode. */
function withoutCity(lines: string[], city: string | null): string[] {
  return lines.filter((line) => line.toLowerCase() !== city?.toLowerCase());
}

/** Limits each field to the maximum of a buyer's address. The rest of a longer street goes into `additional`. */
function withinLengths(address: Address): Address {
  const [street, overflow] = breakLine(address.street);
  const additional = [overflow, address.additional].filter((part) => part !== null).join(', ');
  const house = cut(address.house, HOUSE_LENGTH_MAX);
  return {
    street,
    house,
    postcode: cut(address.postcode, POSTCODE_LENGTH_MAX),
    city: cut(address.city, CITY_LENGTH_MAX),
    country: address.country,
    additional: cut(additional || null, STREET_LENGTH_MAX),
  };
}

function breakLine(street: string | null): [string | null, string | null] {
  if (street === null || street.length <= STREET_LENGTH_MAX) return [street, null];
  const end = street.lastIndexOf(' ', STREET_LENGTH_MAX);
  const first = end > 0 ? street.slice(0, end) : head(street, STREET_LENGTH_MAX);
  return [first.trim(), street.slice(first.length).trim()];
}

function cut(text: string | null, lengthMax: number): string | null {
  return text === null ? null : head(text, lengthMax).trim();
}

/** Never splits a character. */
function head(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(/\p{Cs}$/u, '');
}
