/** The faults of a glossary of recurring terms, and the messages of a catalogue that use other words. */
import { readFileSync } from 'node:fs';
import type { Language } from '#kernel/language';
import { type Catalogue, localeOf, MESSAGE_KEYS, type MessageKey } from '#messages';

export interface TermGlossary {
  /** By English term: the word to use, then its forms and stems in texts. For English, all forms. */
  terms: Record<string, string[]>;
  /** Messages that express a term without its word, such as by a pronoun. */
  without: Record<string, MessageKey[]>;
}

export function termGlossaryOf(language: Language): TermGlossary {
  const file = new URL(`../../src/messages/glossary/${language.toLowerCase()}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

interface Pair {
  glossary: TermGlossary;
  catalogue: Catalogue;
}

/** If the English message has a term, the message in the language must have the glossary's word, in every formality. */
export function faultsOfTerms(language: Language, { glossary, catalogue }: Pair, english: Pair): string[] {
  const faults = [];
  const terms = Object.keys(english.glossary.terms);
  if (Object.keys(glossary.terms).join() !== terms.join()) return [`must have the terms ${terms.join(', ')}`];
  const unknown = Object.keys(glossary.without).filter((term) => !terms.includes(term));
  faults.push(...unknown.map((term) => `without: ${term} is no term`));
  for (const term of terms) {
    const [word = '', ...forms] = glossary.terms[term] ?? [];
    if (word.trim() === '') faults.push(`${term}: has no word`);
    const using = MESSAGE_KEYS.filter((key) =>
      hasTerm(english.catalogue[key] as string, english.glossary.terms[term] ?? []),
    );
    const without = glossary.without[term] ?? [];
    const other = using.filter((key) => !hasEverywhere(language, catalogue[key], [word, ...forms]));
    faults.push(
      ...other
        .filter((key) => !without.includes(key))
        .map((key) => `${key}: says “${term}” without “${word}”`),
      ...without.filter((key) => !other.includes(key)).map((key) => `without: ${key} of ${term} is needless`),
    );
  }
  return faults;
}

/** Arguments and examples are not words of a message. */
const NO_WORDS = /\{\w+(, number)?\}|name@company\.example/g;

function hasTerm(text: string, forms: string[]): boolean {
  const plain = text.replaceAll(NO_WORDS, ' ');
  return forms.some((form) => new RegExp(`(?<!\\p{L})${form}(?!\\p{L})`, 'iu').test(plain));
}

function hasEverywhere(language: Language, message: Catalogue[MessageKey], forms: string[]): boolean {
  const lower = (text: string) => text.toLocaleLowerCase(localeOf(language));
  const texts = typeof message === 'string' ? [message] : Object.values(message);
  return texts.every((text) => forms.some((form) => lower(text).includes(lower(form))));
}
