/** Days and amounts that no line break of a plain text divides: marked while a mail is written, and unmarked once its lines are broken. */
import type { Translator } from '#messages';

/** Of the private use area: nothing that is written has them. */
const BEGIN = '\ue000';
const END = '\ue001';
const MARKS = new RegExp(`[${BEGIN}${END}]`, 'g');

/** The source of a pattern for what is kept whole, with its marks. */
export const KEPT_WHOLE = `${BEGIN}[^${END}]*${END}`;

const marked = (text: string) => `${BEGIN}${text}${END}`;

/** The same translator, whose days and amounts are marked. */
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
