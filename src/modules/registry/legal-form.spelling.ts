/** Legal forms as they are spelled: compared without case, accents, dots, spaces and the script's look-alikes. */

/** A word of a text: what it is compared by, and where it stands. */
export interface Word {
  key: string;
  start: number;
  end: number;
}

/** Letters and digits belong together, an ampersand stands alone, and so do Japanese forms in one character. */
const WORD = /[\p{L}\p{N}\p{M}]+|[㈱㈲㈴㈾㈳㈶]|[&＆+＋]/gu;

/** What Unicode does not take apart, and registries write either way. */
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

/** Most words there are: a shortcut, because an import folds millions of names. */
const PLAIN = /^[A-Za-z0-9]+$/;
const NOT_PLAIN = /[ßæœøđðłħıþς+＋]/gu;
const OUTSIDE_KEY = /[^\p{L}\p{N}&]/gu;

/** What looks alike in capitals and is typed for each other: ТOB with a Latin O and B among Cyrillic letters. */
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

/** All that the keys end with: a search from behind that has seen anything else need not go on. */
export function tailsOf(keys: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(keys).flatMap((key) => partsOf(key, (at) => key.slice(at))));
}

/** All that the keys begin with. */
export function headsOf(keys: Iterable<string>): ReadonlySet<string> {
  return new Set(Array.from(keys).flatMap((key) => partsOf(key, (at) => key.slice(0, at + 1))));
}

function partsOf(key: string, partAt: (index: number) => string): string[] {
  return Array.from({ length: key.length }, (_, index) => partAt(index));
}

function keyOf(word: string): string {
  if (PLAIN.test(word)) return word.toLowerCase();
  // NFKD takes accents off their letters, and ㈱ and full-width letters apart.
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
