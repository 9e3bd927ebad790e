/** Compares spellings of legal forms without case, accents, dots, spaces and look-alike letters. */

/** A word of a text: its comparison key and its position. */
export interface Word {
  key: string;
  start: number;
  end: number;
}

/** Letters and digits form a word. An ampersand is a word, and so are Japanese forms in one character. */
const WORD = /[\p{L}\p{N}\p{M}]+|[㈱㈲㈴㈾㈳㈶]|[&＆+＋]/gu;

/** Letters that Unicode does not decompose and registries write in either form. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  '+': '&',
  '＋': '&',
};

/** Matches most words: a shortcut, because an import folds millions of names. */
const PLAIN = /^[A-Za-z0-9]+$/;
const NOT_PLAIN = /[ßæœøđðłħıþς+＋]/gu;
const OUTSIDE_KEY = /[^\p{L}\p{N}&]/gu;

/** Capitals that look alike and are typed for each other: ТOB with a Latin O and B among Cyrillic letters. */
const CYRILLIC_FOR_LATIN = new Map(
  Object.entries({
    a: 'а',
    b: 'в',
    c: 'с',
    e: 'е',
    h: 'н',
    i: 'і',
    k: 'к',
    m: 'м',
    o: 'о',
    p: 'р',
    t: 'т',
    x: 'х',
    y: 'у',
  }),
);
const GREEK_FOR_LATIN = new Map(
  Object.entries({
    a: 'α',
    b: 'β',
    e: 'ε',
    h: 'η',
    i: 'ι',
    k: 'κ',
    m: 'μ',
    n: 'ν',
    o: 'ο',
    p: 'ρ',
    t: 'τ',
    x: 'χ',
    y: 'υ',
    z: 'ζ',
  }),
);

export function spelledWordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => ({
    key: keyOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** The whole text as one key: `G.m.b.H. & Co. KG` is `gmbh&cokg`. */
export function compactKey(text: string): string {
  return spelledWordsOf(text)
    .map(({ key }) => key)
    .join('');
}

/** Every ending of the keys. A search from the end stops as soon as its text is not one of them. */
export function tailsOf(keys: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(keys).flatMap((key) => partsOf(key, (at) => key.slice(at))));
}

/** Every beginning of the keys. */
export function headsOf(keys: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(keys).flatMap((key) => partsOf(key, (at) => key.slice(0, at + 1))));
}

function partsOf(key: string, partAt: (index: number) => string): string[] {
  return Array.from({ length: key.length }, (_, index) => partAt(index));
}

function keyOf(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  // NFKD separates accents from their letters, and splits ㈱ and full-width letters.
  const key = word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(NOT_PLAIN, (body) => PLAIN_LETTERS[body] ?? body)
    .replaceAll(OUTSIDE_KEY, '');
  if (!/[a-z]/.test(key)) return key;
  if (/\p{Script=Cyrillic}/u.test(key)) return inScript(key, CYRILLIC_FOR_LATIN);
  return /\p{Script=Greek}/u.test(key) ? inScript(key, GREEK_FOR_LATIN) : key;
}

function inScript(key: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(key, (body) => letters.get(body) ?? body).join('');
}
