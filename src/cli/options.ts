/** Parsers of command options. Each throws WrongUsage for an invalid value. */

import { DAY_SECONDS, dayOf } from '#kernel/day';
import { EXTERNAL_ID_PATTERN } from '#kernel/fields';
import { endOfLocalDay, lastSecondOf } from '#kernel/local-day';
import { MAIL_KIND_NAMES, type MailKind } from '#kernel/mail-kind';
import { isBlank, isPlainLine } from '#kernel/text';
import { SettingRefused } from '#modules/platforms';
import { WrongUsage } from './arguments.ts';

/** The option's value if it is given and valid. `expected` completes “it must be …”. */
export function required(
  value: string | undefined,
  option: string,
  fits: (text: string) => boolean,
  expected: string,
): string {
  if (value !== undefined && fits(value)) return value;
  throw new WrongUsage(
    value === undefined ? `${option} is required: ${expected}.` : `${option} must be ${expected}.`,
  );
}

/** The option's value if it is given and valid; null if it is omitted. */
export function ifGiven(
  value: string | undefined,
  option: string,
  fits: (text: string) => boolean,
  expected: string,
): string | null {
  return value === undefined ? null : required(value, option, fits, expected);
}

export function wholeNumber(text: string, option: string, minimum: number): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= minimum) return Number(text);
  throw new WrongUsage(`${option} must be a whole number from ${minimum} to 99999.`);
}

/** The reason for a change. */
export const reasonText = (value: string | undefined, option: string) =>
  lineText(value, option, 'a reason', 1_000);

/** @param meaning The meaning of the line, as in “must be a reason, one line …”. */
export function lineText(
  value: string | undefined,
  option: string,
  meaning: string,
  lengthMax: number,
): string {
  const isLine = (text: string) => isPlainLine(text) && !isBlank(text) && text.length <= lengthMax;
  return required(value, option, isLine, `${meaning}, one line of at most ${lengthMax} characters`).trim();
}

export function isExternalId(text: string): boolean {
  return text.length <= 100 && new RegExp(EXTERNAL_ID_PATTERN).test(text);
}

/** No stored instant is earlier. PostgreSQL and JavaScript also read the first years differently. */
const FIRST_DAY = '1970-01-01';

/** The end of a day in UTC, in Unix seconds: the first instant after it. */
export function dayEnd(value: string | undefined, option: string, expected: string): number {
  const isDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day) && day >= FIRST_DAY && startOf(day)?.toISOString().slice(0, 10) === day;
  return (startOf(required(value, option, isDay, expected))?.getTime() ?? 0) / 1_000 + DAY_SECONDS;
}

/**
 * Reads an instant, `2026-03-31T17:00:00Z`, or a day as its first or last second. Returns a function from the time zone of the platform,
 * which is known only after the options, to Unix seconds.
 */
export function instantOrDay(
  value: string,
  option: string,
  side: 'start' | 'end',
): (timeZone: string) => number {
  const expected = 'a day such as 2026-03-31, or an instant such as 2026-03-31T17:00:00Z';
  if (!value.includes('T')) {
    const dayBefore = dayOf(dayEnd(value, option, expected) - 2 * DAY_SECONDS);
    return (timeZone) =>
      side === 'end' ? lastSecondOf(value, timeZone) : endOfLocalDay(dayBefore, timeZone);
  }
  const isInstant = (word: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(word) && word >= FIRST_DAY && instantText(word) === word;
  const at = Date.parse(required(value, option, isInstant, expected)) / 1_000;
  return () => at;
}

/**
 * The instant as text again; empty if it is invalid. The text differs for 24:00 and the 31st of June, which `Date` reads as other instants.
 */
function instantText(word: string): string {
  const date = new Date(word);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
}

function startOf(day: string): Date | null {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The end of the day in `--at`. Null without the option, which means now. */
export function askedDay(value: string | undefined): number | null {
  return value === undefined ? null : dayEnd(value, '--at', 'a day such as 2026-03-31');
}

/** The instant that answers for the day: its last second, or now if the day is not over. */
export function instantOfDay(end: number | null, now: number): number {
  if (end !== null && end - DAY_SECONDS > now) throw new WrongUsage('--at must be a day that has begun.');
  return end === null ? now : Math.min(end - 1, now);
}

/** The kind of mail with this name. */
export function mailKindOf(name: string | undefined): MailKind {
  const isKind = (text: string) => MAIL_KIND_NAMES.some((kind) => kind === text);
  return required(name, 'KIND', isKind, 'a kind that `tradeline platform mails` lists') as MailKind;
}

/** A status of a lifecycle. */
export function oneOfStates<const Status extends string>(
  value: string,
  option: string,
  states: readonly Status[],
): Status {
  const isState = (word: string) => states.some((state) => state === word);
  return required(value, option, isState, `one of ${states.join(', ')}`) as Status;
}

/** The value that `read`, a reader of settings, returns. Throws WrongUsage with its message if it refuses the text. */
export function withOption<Value>(option: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof SettingRefused) throw new WrongUsage(`--${option} ${error.message}.`);
    throw error;
  }
}
