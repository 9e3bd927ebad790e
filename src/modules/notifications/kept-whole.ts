/** Days and amounts that no line break of a plain text divides: marked while a mail is written, and unmarked after line breaking. */
import type { Translator } from '#messages';

/** From the private use area: no text contains these characters. */
const BEGIN = '\ue000';
const END = '\ue001';
const MARKS = new RegExp(`[${BEGIN}${END}]`, 'g');

/** The source of a pattern for a marked day or amount, with its marks. */
export const KEPT_WHOLE = `${BEGIN}[^${END}]*${END}`;

const marked = (text: string) => `${BEGIN}${text}${END}`;

/** The same translator, which marks days and amounts. */
export function keepingWhole(translator: Translator): Translator {
  const { money, day, dayOn, shortDay, moment } = translator;
  return {
    ...translator,
    money: (minor, currency) => marked(money(minor, currency)),
    day: (unixSeconds) => marked(day(unixSeconds)),
    dayOn: (written) => marked(dayOn(written)),
    shortDay: (unixSeconds) => marked(shortDay(unixSeconds)),
    moment: (unixSeconds) => marked(moment(unixSeconds)),
  };
}

export const withoutMarks = (text: string): string => text.replaceAll(MARKS, '');
