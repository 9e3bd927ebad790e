import { expect, it } from 'vitest';
import { preferredLanguage } from './accept-language.ts';

it.each([
  ['de', 'DE'],
  ['de-AT, en;q=0.9', 'DE'],
  ['en;q=0.5, fr;q=0.8, *;q=0.1', 'FR'],
  ['zh-Hant-TW', 'ZH'],
  ['nb-NO', 'NO'],
  ['nn', 'NO'],
  ['xx, tlh;q=0.9', null],
  ['fr;q=0, ja;q=0.1', 'JA'],
  ['de;q=nonsense, it', 'IT'],
  ['', null],
  [undefined, null],
  [`${'x,'.repeat(5_000)}de`, null],
])('reads %j as %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
