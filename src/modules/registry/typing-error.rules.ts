/** Words one typing error apart: one letter added, missing or replaced, or two neighbours swapped. */

/** Shorter words are compared exactly: each is near hundreds of others. */
const FORGIVEN_LENGTH_MIN = 3;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Hashes of the word, and of the word without any one letter. Two words one error apart share at least one hash; words
 * that share one are at most two errors apart. The country is part of the hash, so that a search reads only words of
 * its country.
 */
export function variantsOf(country: string, word: string): number[] {
  const start = hash(FNV_OFFSET, `${country}:`);
  const variants = new Set([hash(start, word)]);
  if (word.length < FORGIVEN_LENGTH_MIN) return [...variants];
  for (let index = 0; index < word.length; index++) {
    variants.add(hash(hash(start, word.slice(0, index)), word.slice(index + 1)));
  }
  return [...variants];
}

/** FNV-1a over UTF-16 code units as a signed 32-bit integer, the int4 of PostgreSQL. */
function hash(start: number, text: string): number {
  let value = start;
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index);
    value = Math.imul(value, FNV_PRIME);
  }
  return value | 0;
}

/** Whether the words are at most one error apart. Linear in their length. */
export function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1 || short.length < FORGIVEN_LENGTH_MIN - 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length !== long.length) return short.slice(at) === long.slice(at + 1);
  if (short.length < FORGIVEN_LENGTH_MIN) return false;
  const isReplaced = short.slice(at + 1) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isReplaced || isSwapped;
}
