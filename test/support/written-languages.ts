/** Languages in which there are messages. */
import { readdirSync } from 'node:fs';
import { LANGUAGES, type Language } from '#kernel/language';

const files = readdirSync(new URL('../../src/messages/catalogue', import.meta.url));

export const languagesWritten: Language[] = LANGUAGES.filter((language) =>
  files.includes(`${language.toLowerCase()}.json`),
);

export const hasCatalogue = (language: Language) => languagesWritten.includes(language);
