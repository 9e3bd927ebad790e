/**
 * The messages that buyers read on pages and in mails: one file per language in `catalogue/`, with ICU messages by key. A message
 * has one text, or one for each formality if the language distinguishes them.
 */
import { readFileSync } from 'node:fs';
import type { Formality, Language } from '#kernel/language';
import english from './catalogue/en.json' with { type: 'json' };

export type MessageKey = keyof typeof english;
export const MESSAGE_KEYS = Object.keys(english) as MessageKey[];

export type Message = string | Record<Formality, string>;
export type Catalogue = Record<MessageKey, Message>;

const catalogues = new Map<Language, Catalogue>();

/** Loads a language on first use. */
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
