/** Messages, amounts and dates in one language and formality. */
import { IntlMessageFormat } from 'intl-messageformat';
import { type Currency, minorDigits } from '#kernel/currency';
import type { Formality, Language } from '#kernel/language';
import type { PaymentTerm } from '#kernel/payment-term';
import { type MessageKey, patternOf } from './catalogue.ts';

export type MessageValues = Record<string, string | number>;

export interface Translator {
  language: Language;
  formality: Formality;
  /** BCP 47, for `lang` attributes and `Intl`. */
  locale: string;
  direction: 'ltr' | 'rtl';
  /** A message as plain text, not escaped for HTML. Throws if a value is missing. */
  text(key: MessageKey, values?: MessageValues): string;
  /** An amount in minor units, without rounding. Throws for anything else. Pass products of prices as bigint: they may exceed a safe integer. */
  money(minor: number | bigint, currency: Currency): string;
  /** The day of an instant in unix seconds, in long form. */
  day(unixSeconds: number): string;
  /** A day such as 2026-01-31, in long form: the same in every time zone. */
  dayOn(day: string): string;
  /** The day of an instant in unix seconds, in the form of tables. */
  shortDay(unixSeconds: number): string;
  /** The day and time of an instant in unix seconds. */
  moment(unixSeconds: number): string;
  /** A rate with two decimals: 1137 basis points are 11.37 %. */
  percent(basisPoints: number): string;
  /** The name of a country, by its ISO 3166-1 alpha-2 code. */
  country(code: string): string;
  /** The name of a payment term, such as “Pay in 30 days”. */
  paymentTerm(term: PaymentTerm): string;
}

/** Locales of languages for which ICU would otherwise choose the region. */
const LOCALES: Partial<Record<Language, string>> = {
  EN: 'en-GB',
  NO: 'nb',
  PT: 'pt-PT',
  ZH: 'zh-Hans',
};

const translators = new Map<string, Translator>();

const UTC = 'UTC';

/** @param timeZone The IANA name of the zone in which days and moments are shown. */
export function translatorOf(language: Language, formality: Formality, timeZone = UTC): Translator {
  const name = `${language}/${formality}/${timeZone}`;
  const known = translators.get(name);
  if (known) return known;
  const translator =
    timeZone === UTC
      ? createTranslator(language, formality)
      : { ...translatorOf(language, formality), ...calendarOf(localeOf(language), timeZone) };
  translators.set(name, translator);
  return translator;
}

/** How the first day of a month is written if Intl does not write it correctly. */
const FIRST: Record<string, string> = { fr: '1er', it: '1º' };

function withFirst(day: string, locale: string): string {
  const first = FIRST[locale.split('-')[0] as string];
  return first === undefined ? day : day.replace(/^1 /, `${first} `);
}

function calendarOf(locale: string, timeZone: string): Pick<Translator, 'day' | 'shortDay' | 'moment'> {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const shortDays = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return {
    day: (unixSeconds) => withFirst(days.format(unixSeconds * 1_000), locale),
    shortDay: (unixSeconds) => shortDays.format(unixSeconds * 1_000),
    moment: (unixSeconds) => withFirst(moments.format(unixSeconds * 1_000), locale),
  };
}

function createTranslator(language: Language, formality: Formality): Translator {
  const locale = localeOf(language);
  const formats = new Map<MessageKey, IntlMessageFormat>();
  /** Texts of messages without values: most of a page. */
  const plainTexts = new Map<MessageKey, string>();
  const amounts = new Map<Currency, Intl.NumberFormat>();
  const rates = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2 });
  const calendar = calendarOf(locale, UTC);
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const translator: Translator = {
    language,
    formality,
    locale,
    direction: language === 'AR' ? 'rtl' : 'ltr',
    text(key, values) {
      assertComplete(key, values);
      const known = values === undefined ? plainTexts.get(key) : undefined;
      if (known !== undefined) return known;
      const format =
        formats.get(key) ??
        new IntlMessageFormat(patternOf(language, formality, key), locale, undefined, { ignoreTag: true });
      formats.set(key, format);
      const text = format.format(values) as string;
      if (values === undefined) plainTexts.set(key, text);
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
    ...calendar,
    dayOn: (day) => calendar.day(Date.parse(day) / 1_000),
    // A decimal string, which `Intl` formats exactly.
    percent: (basisPoints) => rates.format(`${basisPoints}e-4` as `${number}`),
    country: (code) => countries.of(code) ?? code,
    paymentTerm: (term) => paymentTermName(term, translator.text),
  };
  return translator;
}

/** A value of a message can be missing despite its type, if it comes from a stored event. */
function assertComplete(key: MessageKey, values: MessageValues = {}): void {
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === null || Number.isNaN(value))
      throw new Error(`The message ${key} lacks its value ${name}.`);
}

function paymentTermName(term: PaymentTerm, text: Translator['text']): string {
  const [, kind, count] = /^(DEFER|SPLIT)_(\d+)[DM]$/.exec(term) ?? [];
  if (kind === 'DEFER') return text('payment.DEFER', { days: Number(count) });
  if (kind === 'SPLIT') return text('payment.SPLIT', { months: Number(count) });
  return text('payment.PREPAYMENT');
}

export function localeOf(language: Language): string {
  return LOCALES[language] ?? language.toLowerCase();
}

/** A decimal string, which `Intl` formats exactly: amounts are never floats. */
function decimalOf(minor: number | bigint, digits: 0 | 2): `${number}` {
  const [text, sign = '', whole = ''] = /^(-?)(\d+)$/.exec(String(minor)) ?? [];
  if (text === undefined) throw new RangeError(`${minor} is not an amount in minor units.`);
  if (digits === 0) return text as `${number}`;
  const padded = whole.padStart(digits + 1, '0');
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}` as `${number}`;
}
