/** Reads the legal form from a registry's text or from a company's name. */
import type { LegalForm } from '#kernel/fields';
import { LIQUIDATION, mereCompany } from './legal-form.context.ts';
import {
  elfForm,
  type Found,
  type Spellings,
  spellingsOf,
  WORLD,
  WRITTEN_TOGETHER,
} from './legal-form.lookup.ts';
import {
  andCompanyBehind,
  type Dictionary,
  longestAnywhere,
  longestBehind,
  longestInFront,
  type Range,
  type Run,
} from './legal-form.runs.ts';
import { compactKey, spelledWordsOf, type Word } from './legal-form.spelling.ts';

export interface LegalFormReading {
  legal_form: LegalForm;
  /** Null if the text names no form of the country's table. */
  local_code: string | null;
  elf_code: string | null;
}

export interface StrippedName {
  /** The name without its legal form; the whole name if it has none, or consists of it. */
  stem: string;
  form: StrippedForm | null;
}

export interface StrippedForm {
  /** As the name spells it. */
  text: string;
  /** Null if countries use the spelling for different forms and the given country does not have it. */
  legal_form: LegalForm | null;
  /**
   * The form in the given country; without a country that has a table, the only form in the world with this spelling.
   */
  local_code: string | null;
  elf_code: string | null;
}

const ELF_CODE = /^[0-9A-Z]{4}$/;

/** Registries write a legal form in one line; later text is about something else. */
const READ_LENGTH_MAX = 500;
const LETTERS_ANYWHERE_MIN = 4;

/**
 * The form that a registry's text names, in words or by its code of ISO 20275; OTHER if none is recognised. A code is
 * read in any country. Words for another country's form (a Ltd. registered in Germany) give its value without a local
 * code.
 */
export function readLegalForm(text: string, country: string): LegalFormReading {
  const line = text.slice(0, READ_LENGTH_MAX).trim();
  const home = spellingsOf(country);
  const exact = home?.readings.get(compactKey(line));
  if (exact) return codesOf(exact[0]);
  const elf = ELF_CODE.test(line) ? elfForm(line) : undefined;
  if (elf) return { legal_form: elf.legalForm, local_code: elf.localCode, elf_code: line };
  const found = home && findReading(line, home.readings);
  if (found) return codesOf(found[0]);
  const foreign = WORLD.readings.get(compactKey(line)) ?? findReading(line, WORLD.affixes);
  return { legal_form: (foreign && usualForm(foreign)) ?? 'OTHER', local_code: null, elf_code: null };
}

/** The value in most of the countries: Ltd. is a limited company, although a public one in Australia. */
function usualForm(found: Found): LegalForm | undefined {
  const countries = Map.groupBy(found, ({ legalForm }) => legalForm);
  const [first, second] = [...countries].sort(([, a], [, b]) => b.length - a.length);
  return first && first[1].length > (second?.[1].length ?? 0) ? first[0] : undefined;
}

/** Reads the text outside or inside brackets as a whole; else its end, its beginning, or any part. */
function findReading(line: string, table: Spellings['readings']): Found | undefined {
  const [outside, inside] = partsByBrackets(line);
  const whole = table.get(compactKey(outside)) ?? table.get(compactKey(inside));
  if (whole) return whole;
  const words = spelledWordsOf(outside);
  const range = { words, first: 0, last: words.length };
  const forms = { meaningOf: (key: string) => table.get(key) };
  const run =
    longestBehind(range, forms) ??
    longestInFront(range, forms) ??
    longestAnywhere(range, forms, LETTERS_ANYWHERE_MIN);
  return run?.meaning;
}

function partsByBrackets(line: string): [outside: string, inside: string] {
  const parts: [string, string] = ['', ''];
  let depth = 0;
  for (const body of line) {
    if (body === '(') depth++;
    parts[depth > 0 ? 1 : 0] += body === '(' || body === ')' ? ' ' : body;
    if (body === ')' && depth > 0) depth--;
  }
  return parts;
}

/**
 * The company's name without its legal form in any spelling: GmbH & Co. KG after it, UAB before it, 株式会社 on either
 * side. With a country (ISO 3166-1 alpha-2) it knows the country's forms and those known worldwide; without one only
 * the latter. Takes time linear in the length of the name.
 */
export function stripLegalForm(name: string, country = ''): StrippedName {
  const home = spellingsOf(country);
  const words = IDEOGRAPH.test(name) ? separateIdeographs(name, spelledWordsOf(name)) : spelledWordsOf(name);
  const all = { words, first: 0, last: words.length };
  const behind = cutBehind(all, home);
  const rest = { ...all, last: behind?.from ?? all.last };
  const front = cutInFront(name, rest, behind, country);
  const cut = behind ?? front;
  if (cut?.found === undefined) return { stem: name, form: null };
  return {
    stem: stemOf(name, { ...rest, first: front?.to ?? rest.first }),
    form: strippedForm(cut.key, cut.found, home, textOf(name, words, cut)),
  };
}

/** The words to remove, from `from` (inclusive) to `to` (exclusive), and the form they name. */
interface Cut {
  from: number;
  to: number;
  key: string;
  found: Found | undefined;
}

const IDEOGRAPH = /\p{Script=Han}/u;

/** 株式会社サントリー has no space between form and name. */
function separateIdeographs(name: string, words: Word[]): Word[] {
  const first = words[0];
  const lead =
    first && WRITTEN_TOGETHER.find((key) => isLonger(first, key) && name.startsWith(key, first.start));
  const parted =
    first && lead ? [...splitAt(first, first.start + lead.length, name), ...words.slice(1)] : words;
  const last = parted.at(-1);
  const tail = last && WRITTEN_TOGETHER.find((key) => isLonger(last, key) && name.endsWith(key, last.end));
  return last && tail ? [...parted.slice(0, -1), ...splitAt(last, last.end - tail.length, name)] : parted;
}

function isLonger({ start, end }: Word, key: string): boolean {
  return end - start > key.length;
}

function splitAt({ start, end }: Word, at: number, name: string): Word[] {
  return [
    { key: compactKey(name.slice(start, at)), start, end: at },
    { key: compactKey(name.slice(at, end)), start: at, end },
  ];
}

function cutBehind(range: Range, home: Spellings | undefined): Cut | undefined {
  const forms: Dictionary<Found> = {
    meaningOf: (key) => home?.affixes.get(key) ?? WORLD.affixes.get(key),
    mayGrow: (key) => WORLD.tails.has(key) || home?.tails.has(key) === true,
  };
  const liquidation = longestBehind(range, LIQUIDATION);
  const outer =
    (liquidation && longestBehind({ ...range, last: liquidation.from }, forms)) ??
    longestBehind(range, forms);
  if (outer === undefined || outer.from === range.first) return undefined;
  const inner = formWithin({ ...range, last: outer.from }, forms);
  return { from: inner?.from ?? outer.from, to: outer.to, key: outer.key, found: outer.meaning };
}

const COMPANY_FORMS: ReadonlySet<LegalForm> = new Set(['LIMITED_COMPANY', 'PUBLIC_COMPANY']);
const LETTERS_WITHIN_MIN = 4;

/**
 * The partner's form in `GmbH & Co.` before KG, or in `sp. z o.o.` before sp.k. A short one is a word of the name:
 * Terme Spa S.r.l.
 */
function formWithin(range: Range, forms: Dictionary<Found>): Run<Found> | undefined {
  const andCompany = andCompanyBehind(range);
  const inner = longestBehind({ ...range, last: andCompany ?? range.last }, forms);
  if (inner === undefined || inner.from === range.first) return undefined;
  if (andCompany !== undefined) return inner;
  const isCompany = COMPANY_FORMS.has(inner.meaning[0].legalForm);
  return isCompany && inner.key.length >= LETTERS_WITHIN_MIN ? inner : undefined;
}

/**
 * The form before the name. If a form follows the name too, the first must be the same (Oy Foo Ab) or mean no form (S.C.
 * Foo S.R.L.).
 */
function cutInFront(name: string, range: Range, behind: Cut | undefined, country: string): Cut | undefined {
  const { inFront, heads } = spellingsOf(country) ?? WORLD;
  const mayStand = (found: Found) =>
    behind?.found === undefined || found.some((form) => behind.found?.includes(form));
  const form = longestInFront(range, {
    meaningOf: (key) => {
      const found = inFront.get(key);
      return found && mayStand(found) ? found : undefined;
    },
    mayGrow: (key) => heads.has(key),
  });
  const run = form ?? (behind && longestInFront(range, mereCompany(country)));
  if (run === undefined || run.to === range.last) return undefined;
  // AB-Tech is a name.
  if (name[range.words[run.to - 1]?.end ?? 0] === '-') return undefined;
  return { from: run.from, to: run.to, key: run.key, found: form?.meaning };
}

function strippedForm(key: string, found: Found, home: Spellings | undefined, text: string): StrippedForm {
  const own = home?.affixes.get(key);
  if (own) return { text, ...codesOf(own[0]) };
  if (home === undefined && found.length === 1) return { text, ...codesOf(found[0]) };
  return { text, legal_form: agreedForm(found), local_code: null, elf_code: null };
}

function codesOf({ legalForm, code, elfCode }: Found[0]): LegalFormReading {
  return { legal_form: legalForm, local_code: code, elf_code: elfCode };
}

/** The value, if all countries that share the spelling give it the same one. */
function agreedForm([first, ...others]: Found): LegalForm | null {
  return others.every(({ legalForm }) => legalForm === first.legalForm) ? first.legalForm : null;
}

/** The form with its last dot and its brackets: (株), AB (publ). */
function textOf(name: string, words: readonly Word[], { from, to }: Cut): string {
  const start = words[from]?.start ?? 0;
  const end = words[to - 1]?.end ?? 0;
  const text = name.slice(start, end);
  if (name[end] === '.') return `${text}.`;
  if (!/[)）]/.test(name[end] ?? '')) return text;
  if (/[(（]/.test(text)) return text + name[end];
  return /[(（]/.test(name[start - 1] ?? '') ? name.slice(start - 1, end + 1) : text;
}

const BEFORE_STEM = /[\s.,;:)\]/、）」』-]/;
const BEHIND_STEM = /[\s,;:([/、（「『–—-]/;
const QUOTE = /["„“”«»]/;

/** The remaining words, without the characters that joined them to the form. */
function stemOf(name: string, { words, first, last }: Range): string {
  let start = first === 0 ? 0 : (words[first - 1]?.end ?? 0);
  let end = words[last]?.start ?? name.length;
  const at = (index: number) => name[index] ?? '';
  while (first > 0 && BEFORE_STEM.test(at(start))) start++;
  while (BEHIND_STEM.test(at(end - 1))) end--;
  const isQuoted = QUOTE.test(at(start)) && QUOTE.test(at(end - 1));
  return isQuoted ? name.slice(start + 1, end - 1) : name.slice(start, end);
}
