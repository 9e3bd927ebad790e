/** Splits a company's name into the words by which it is found. */
import anyAscii from 'any-ascii';
import { stripLegalForm } from './legal-form.rules.ts';

/**
 * Names and queries are cut to this length: no registry has longer names, and the rest would not change the first
 * results.
 */
const NAME_LENGTH_MAX = 500;
const WORDS_MAX = 24;
const WORD_LENGTH_MAX = 40;

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]+/gu;
/** Foreign words in Japanese: トヨタ自動車 is `toyota` and then kanji. Only the length mark has no script. */
const KATAKANA = /[\p{Script=Katakana}ー]+/gu;

/** Words for "and" in the languages of Europe: Müller & Söhne is Müller und Söhne. */
const CONJUNCTIONS = new Set('and und et en y e i og och ja a si es ve'.split(' '));

/** The distinct folded words of a name without its legal form, in order. */
export function nameWordsOf(name: string, country: string): string[] {
  return readName(name, country).words.map(({ text }) => text);
}

export interface NameWord {
  text: string;
  /** As typed: a mistyped word can have a `ue` that is not an umlaut, as in `valeu` for `value`. */
  typed: string;
}

export interface ReadName {
  words: NameWord[];
  /** The legal form as the name spells it, in lower case; empty if there is none. */
  form: string;
}

export function readName(name: string, country: string): ReadName {
  const cut = name.slice(0, NAME_LENGTH_MAX);
  const { stem, form } = stripLegalForm(cut, country);
  const words = split(stem);
  const telling = words.filter((word) => !CONJUNCTIONS.has(word));
  // The name of a company can consist of only a legal form or a conjunction.
  const kept = telling.length > 0 ? telling : words.length > 0 ? words : split(cut);
  const byText = new Map(kept.map((typed) => [foldUmlauts(typed), typed]));
  return {
    words: [...byText].slice(0, WORDS_MAX).map(([text, typed]) => ({ text, typed })),
    form: lettersOf(form?.text ?? ''),
  };
}

/** Whether the name begins or ends with the form, with or without dots, in any case. */
export function hasForm(name: string, form: string): boolean {
  const letters = lettersOf(name);
  return form !== '' && (letters.endsWith(form) || letters.startsWith(form));
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Lower-case ASCII words. Accents and scripts are folded, `ue` becomes `u` (Mueller is Müller), and initials are one
 * word.
 */
export function fold(text: string): string[] {
  return split(text).map(foldUmlauts);
}

const foldUmlauts = (word: string) => word.replaceAll(/([aou])e/g, '$1');

function split(text: string): string[] {
  const words = (PLAIN.test(text) ? text : toAscii(text))
    .toLowerCase()
    .replaceAll(/['’`´]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return joinInitials(words).map((word) => word.slice(0, WORD_LENGTH_MAX));
}

/** Printable ASCII, as in most names: needs no transliteration. */
const PLAIN = /^[ -~]*$/;

function toAscii(text: string): string {
  const spaced = text
    .normalize('NFKC')
    .replaceAll(KATAKANA, ' $& ')
    .replaceAll(UNSPACED, (run) => ` ${pairsOf(run).join(' ')} `);
  return anyAscii(spaced);
}

/** O'Shea, d'Or and l'Atelier are one word, even with a space instead of the apostrophe. */
const ELIDED = /^[odl]$/;

/** A.P. Møller, AP Møller: adjacent single letters are one word. */
function joinInitials(words: string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isInitial = word.length === 1 && word >= 'a';
    const isElided = word.length > 1 && ELIDED.test(joined.at(-1) ?? '');
    if ((isInitial && isOpen) || isElided) joined[joined.length - 1] += word;
    else joined.push(word);
    isOpen = isInitial;
  }
  return joined;
}

/** 東京電力 → 東京, 京電, 電力: pairs of neighbours replace words where there are no spaces. */
function pairsOf(run: string): string[] {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((body, index) => `${letters[index]}${body}`);
}
