/** Search keys of a company: words, whole names, city, postcode and numbers, each prefixed with its country. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { identifierKeysOf } from './identifier.rules.ts';
import { fold, nameWordsOf } from './name.rules.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** Some companies have had dozens of names in as many languages. */
const NAMES_MAX = 12;
const WHOLE_NAME_LENGTH_MAX = 120;

export interface SearchKeys {
  /** The words of each name, the legal one first: `cafe morgenrot|morgenrot berlin`. */
  nameWords: string;
  /** As in the index: `DE:morgenrot`. */
  keys: string[];
}

export function searchKeysOf(entry: RegistryEntry): SearchKeys {
  const country = entry.address.country ?? '';
  const names = [entry.legalName, ...(entry.tradingName ? [entry.tradingName] : []), ...entry.otherNames];
  const wordLists = names.slice(0, NAMES_MAX).map((name) => nameWordsOf(name, country));
  const keys = wordLists.flatMap((words) => [
    ...words.map((word) => wordKey(country, word)),
    ...(words.length > 0 ? [wholeNameKey(country, words)] : []),
  ]);
  const { city, postcode } = entry.address;
  const localityKeys = [cityKey(country, city), postcodeKey(country, postcode)].filter((key) => key !== null);
  const identifierKeys = entry.identifiers.flatMap((identifier) =>
    identifierKeysOf(identifier).map((value) => identifierKey(identifier, value)),
  );
  return {
    nameWords: [...new Set(wordLists.map((words) => words.join(' ')))].join('|'),
    keys: [...new Set([...keys, ...localityKeys, ...identifierKeys])],
  };
}

export const wordKey = (country: string, word: string) => `${country}:${word}`;

/** The country and the word of a key; null for another kind of key. */
export function readWordKey(key: string): { country: string; word: string } | null {
  const at = key.indexOf(':');
  return /[a-z0-9]/.test(key[at + 1] ?? '') ? { country: key.slice(0, at), word: key.slice(at + 1) } : null;
}

/** The words are joined: Morgenrot and Morgen Rot have the same key. */
export function wholeNameKey(country: string, words: readonly string[]): string {
  return `${country}:=${words.join('').slice(0, WHOLE_NAME_LENGTH_MAX)}`;
}

export function cityKey(country: string, city: string | null | undefined): string | null {
  const folded = fold(city ?? '').join('');
  return folded === '' ? null : `${country}:@${folded}`;
}

export function postcodeKey(country: string, postcode: string | null | undefined): string | null {
  const compact = compactPostcode(postcode);
  return compact === '' ? null : `${country}:#${compact}`;
}

/** The key of a number in the country that issued it. `value` comes from `identifierKeyOf` or `identifierKeysOf`. */
export function identifierKey(
  { country, type }: Pick<BusinessIdentifier, 'country' | 'type'>,
  value: string,
): string {
  return `${country}:$${type}:${value}`;
}

/** SW1A 1AA becomes sw1a1aa, 1017 GC becomes 1017gc. */
export function compactPostcode(postcode: string | null | undefined): string {
  return fold(postcode ?? '').join('');
}
