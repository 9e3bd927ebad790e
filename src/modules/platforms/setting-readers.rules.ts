/** Readers of settings' values from text. Each throws SettingRefused for an invalid value. */

import { isCountry } from '#kernel/country';
import type { Currency } from '#kernel/currency';
import { CURRENCIES } from '#kernel/currency';
import { isEmail } from '#kernel/email';
import { readBic, readIban } from '#kernel/iban';
import { isTimeZone } from '#kernel/local-day';
import { isBlank, isPlainLine } from '#kernel/text';
import { readBrandColor } from './brand.rules.ts';
import { type Logo, readLogo } from './logo.rules.ts';
import { readOrigin, readReturnUrl } from './origins.rules.ts';

/** The message is the end of a sentence that begins with the name of the setting. */
export class SettingRefused extends Error {
  override readonly name = 'SettingRefused';
}

/** What decides which values are allowed, depending on where the service runs. */
export interface SettingRules {
  isSandbox: boolean;
}

/** Reads the value of a setting. Lists are read one item at a time; for a file, `content` is its content. */
export type SettingReader<Value> = (text: string, rules: SettingRules, content: Buffer) => Value;

/** Wraps a reader so that an empty text clears the setting. */
export function orCleared<Value>(read: SettingReader<Value>): SettingReader<Value | null> {
  return (text, rules, content) => (text === '' ? null : read(text, rules, content));
}

export function oneWordOf<const Word extends string>(known: readonly Word[]): SettingReader<Word> {
  return (text) => {
    const word = known.find((each) => each === text);
    if (word === undefined) throw new SettingRefused(`must be one of ${known.join(', ')}`);
    return word;
  };
}

export const currency = oneWordOf(CURRENCIES as readonly Currency[]);

export const onOrOff: SettingReader<boolean> = (text) => oneWordOf(['on', 'off'])(text, ...ANYWHERE) === 'on';

/** Days, from `minimum` to 99999. */
export function days(minimum: number): SettingReader<number> {
  return (text) => {
    if (/^\d{1,5}$/.test(text) && Number(text) >= minimum) return Number(text);
    throw new SettingRefused(`must be a whole number from ${minimum} to 99999`);
  };
}

/** A rate in percent with two decimals at most, such as 4.5, as basis points. */
export function percentage(text: string): number {
  const [, whole = '', decimals = ''] = /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === '') throw new SettingRefused('must be a percentage below 100, such as 4.5');
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** The highest number of working days, which texts for buyers contain in a sentence. */
const REVIEW_DAYS_MAX = 30;

export const reviewDays: SettingReader<number> = (text) => {
  if (/^\d{1,2}$/.test(text) && +text >= 1 && +text <= REVIEW_DAYS_MAX) return Number(text);
  throw new SettingRefused(`must be working days, 1 to ${REVIEW_DAYS_MAX}`);
};

/** @param meaning What the line is, as in “must be the name, one line …”. */
export function lineOf(meaning: string, lengthMax: number): SettingReader<string> {
  const isLine = (text: string) => isPlainLine(text) && !isBlank(text) && text.length <= lengthMax;
  return matching(isLine, `${meaning}, one line of at most ${lengthMax} characters`);
}

/** The longest town in a SEPA transfer. */
const TOWN_LENGTH_MAX = 35;

export const town = matching(
  (text) => isPlainLine(text) && /\p{L}/u.test(text) && text.length <= TOWN_LENGTH_MAX,
  `a town, one line of at most ${TOWN_LENGTH_MAX} characters`,
);
export const country = matching(isCountry, 'the code of a country, such as DE');
export const email = matching(isEmail, 'an e-mail address');
export const timeZone = matching(isTimeZone, 'the IANA name of a time zone, such as Europe/Berlin');

/** A time of day in the platform's time zone. */
export const timeOfDay = matching(
  (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  'a time of day from 00:00 to 23:59, such as 11:00',
);

function matching(fits: (text: string) => boolean, expected: string): SettingReader<string> {
  return (text) => {
    if (fits(text)) return text;
    throw new SettingRefused(`must be ${expected}`);
  };
}

export const webPage: SettingReader<string> = (text, { isSandbox }) => {
  const url = readReturnUrl(text, isSandbox);
  if (typeof url === 'string') throw new SettingRefused(url);
  return url.href;
};

export const origin: SettingReader<string> = (text, { isSandbox }) => {
  const read = readOrigin(text, isSandbox);
  if (read !== null) return read;
  throw new SettingRefused(
    'must be the scheme, host and port of an https address, such as https://shop.example' +
      (isSandbox ? ', or of an http one that leads to this machine' : ''),
  );
};

export const brandColor: SettingReader<string> = (text) => {
  const read = readBrandColor(text);
  if (typeof read === 'string') throw new SettingRefused(read);
  return read.color;
};

export const iban: SettingReader<string> = (text) => {
  const read = readIban(text);
  if (read !== null) return read;
  throw new SettingRefused('is not an IBAN: its country, length or check digits are wrong');
};

export const bic: SettingReader<string> = (text) => {
  const read = readBic(text);
  if (read !== null) return read;
  throw new SettingRefused('must be a BIC such as COBADEFFXXX');
};

export const logo: SettingReader<Logo> = (path, _, content) => {
  const read = readLogo(content);
  if (typeof read === 'string') throw new SettingRefused(`is refused: ${path} ${read}`);
  return read;
};

const ANYWHERE = [{ isSandbox: false }, Buffer.alloc(0)] as const;
