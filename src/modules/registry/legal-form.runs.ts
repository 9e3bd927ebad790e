/**
 * Runs of words that spell one thing: `S.`, `à`, `r.`, `l.` are one legal form. A search examines no more words than a
 * form can have.
 */
import { KEY_LENGTH_MAX } from './legal-form.lookup.ts';
import type { Word } from './legal-form.spelling.ts';

/** The words from `first` (inclusive) to `last` (exclusive). */
export interface Range {
  words: readonly Word[];
  first: number;
  last: number;
}

/** The words from `from` (inclusive) to `to` (exclusive), and their meaning. */
export interface Run<Meaning> {
  from: number;
  to: number;
  key: string;
  meaning: Meaning;
}

export interface Dictionary<Meaning> {
  meaningOf(key: string): Meaning | undefined;
  /** Whether a longer key may have a meaning; if it is omitted, every key may. */
  mayGrow?(key: string): boolean;
}

const AND: ReadonlySet<string> = new Set(['&', 'and', 'und', 'et', 'og', 'och', 'y', 'енд']);
const COMPANY: ReadonlySet<string> = new Set(['co', 'cie', 'comp', 'company', 'compagnie', 'ко']);

/**
 * The longest run at the end of the range. A run after an ampersand does not count: in Müller & Co. it belongs to the
 * name.
 */
export function longestBehind<Meaning>(
  { words, first, last }: Range,
  { meaningOf, mayGrow }: Dictionary<Meaning>,
): Run<Meaning> | undefined {
  let key = '';
  let longest: Run<Meaning> | undefined;
  for (let from = last - 1; from >= first; from--) {
    key = keyAt(words, from) + key;
    if (key.length > KEY_LENGTH_MAX || mayGrow?.(key) === false) break;
    const meaning = AND.has(keyAt(words, from - 1)) ? undefined : meaningOf(key);
    if (meaning !== undefined) longest = { from, to: last, key, meaning };
  }
  return longest;
}

/** The longest run at the beginning of the range. A run before an ampersand does not count. */
export function longestInFront<Meaning>(
  { words, first, last }: Range,
  { meaningOf, mayGrow }: Dictionary<Meaning>,
): Run<Meaning> | undefined {
  let key = '';
  let longest: Run<Meaning> | undefined;
  for (let to = first + 1; to <= last; to++) {
    key += keyAt(words, to - 1);
    if (key.length > KEY_LENGTH_MAX || mayGrow?.(key) === false) break;
    const meaning = AND.has(keyAt(words, to)) ? undefined : meaningOf(key);
    if (meaning !== undefined) longest = { from: first, to, key, meaning };
  }
  return longest;
}

/** The longest run with at least this many letters, at any position. */
export function longestAnywhere<Meaning>(
  range: Range,
  dictionary: Dictionary<Meaning>,
  lettersMin: number,
): Run<Meaning> | undefined {
  let longest: Run<Meaning> | undefined;
  for (let first = range.first; first < range.last; first++) {
    const run = longestInFront({ ...range, first }, dictionary);
    const longer = Math.max(lettersMin, (longest?.key.length ?? 0) + 1);
    if (run && run.key.length >= longer) longest = run;
  }
  return longest;
}

/** The position of `& Co.` if the range ends with it. */
export function andCompanyBehind({ words, first, last }: Range): number | undefined {
  const isThere = last - first > 2 && AND.has(keyAt(words, last - 2)) && COMPANY.has(keyAt(words, last - 1));
  return isThere ? last - 2 : undefined;
}

function keyAt(words: readonly Word[], index: number): string {
  return words[index]?.key ?? '';
}
