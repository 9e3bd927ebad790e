/**
 * Every sentence that buyers read, on pages and in mails: a file a language in `catalogue/`, ICU messages by key. A message is
 * one text, or where the language addresses somebody differently, one for each formality.
 */
import { readFileSync } from 'node:fs';
import type { Formality, Language } from '#kernel/language';
import english from './catalogue/en.json' with { type: 'json' };

export type MessageKey = keyof typeof english;
export const MESSAGE_KEYS = Object.keys(english) as MessageKey[];

export type Message = string | Record<Formality, string>;
export type Catalogue = Record<MessageKey, Message>;

const catalogues = new Map<Language, Catalogue>();

/** Read at the first use of the language. */
export function catalogueOf(language: Language): Catalogue {
  const known = catalogues.get(language);
  if (known) return known;
  const file = new URL(`./catalogue/${language.toLowerCase()}.json`, import.meta.url);
  const catalogue: Catalogue = JSON.parse(readFileSync(file, 'utf8'));
  catalogues.set(language, catalogue);
  return catalogue;
}

/** The ICU pattern of a message. */
export function patternOf(language: Language, formality: Formality, key: MessageKey): string {
  const message = catalogueOf(language)[key];
  return typeof message === 'string' ? message : message[formality];
}
