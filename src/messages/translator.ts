/** One voice: a language with its formality, and how it writes numbers, amounts and days. */
import { IntlMessageFormat } from 'intl-messageformat';
import { type Currency, minorDigits } from '#kernel/currency';
import type { Formality, Language } from '#kernel/language';
import { type MessageKey, patternOf } from './catalogue.ts';

export type MessageValues = Record<string, string | number>;

export interface Translator {
  language: Language;
  formality: Formality;
  /** BCP 47, for the attribute `lang` and for `Intl`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** Plain text, whatever the values are: whoever writes HTML escapes it. Throws where a value is missing. */
  text(key: MessageKey, values?: MessageValues): string;
  /** Whole minor units, exactly; of products of prices as bigint, which may be beyond what a number can hold. */
  money(minor: number | bigint, currency: Currency): string;
  /** The day in UTC of an instant in unix seconds, written out. */
  day(unixSeconds: number): string;
  /** The same with the time of day. */
  moment(unixSeconds: number): string;
  /** The name of a country, by its ISO 3166-1 alpha-2 code. */
  country(code: string): string;
}

/** Where the language alone would leave the choice of a country's habits to the ICU data. */
const LOCALES: Partial<Record<Language, string>> = {
  EN: 'en-GB',
  NO: 'nb',
  PT: 'pt-PT',
  ZH: 'zh-Hans',
};

const speakers = new Map<string, Translator>();

export function translatorOf(language: Language, formality: Formality): Translator {
  const name = `${language}/${formality}`;
  const known = speakers.get(name);
  if (known) return known;
  const translator = createTranslator(language, formality);
  speakers.set(name, translator);
  return translator;
}

function createTranslator(language: Language, formality: Formality): Translator {
  const locale = localeOf(language);
  const formats = new Map<MessageKey, IntlMessageFormat>();
  /** What needs no value, once it was said: most of a page. */
  const said = new Map<MessageKey, string>();
  const amounts = new Map<Currency, Intl.NumberFormat>();
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    language,
    formality,
    locale,
    direction: language === 'AR' ? 'rtl' : 'ltr',
    text(key, values) {
      const known = values === undefined ? said.get(key) : undefined;
      if (known !== undefined) return known;
      const format =
        formats.get(key) ??
        new IntlMessageFormat(patternOf(language, formality, key), locale, undefined, { ignoreTag: true });
      formats.set(key, format);
      const text = format.format(values) as string;
      if (values === undefined) said.set(key, text);
      return text;
    },
    money(minor, currency) {
      const digits = minorDigits(currency);
      const format =
        amounts.get(currency) ??
        new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        });
      amounts.set(currency, format);
      return format.format(decimalOf(minor, digits));
    },
    day: (unixSeconds) => days.format(unixSeconds * 1_000),
    moment: (unixSeconds) => moments.format(unixSeconds * 1_000),
    country: (code) => countries.of(code) ?? code,
  };
}

export function localeOf(language: Language): string {
  return LOCALES[language] ?? language.toLowerCase();
}

/** As digits with a point, which `Intl` reads exactly: no float comes near an amount. */
function decimalOf(minor: number | bigint, digits: 0 | 2): `${number}` {
  if (digits === 0) return String(minor) as `${number}`;
  const [, sign = '', whole = ''] = /^(-?)(\d+)$/.exec(String(minor)) ?? [];
  const padded = whole.padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}` as `${number}`;
}
