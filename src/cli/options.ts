/** Parsers of command options. Each throws StartRefused for an invalid value. */
import { EXTERNAL_ID_PATTERN } from '#kernel/fields';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';

/** The option's value if it is given and valid. `expected` completes “it must be …”. */
export function required(
  value: string | undefined,
  option: string,
  fits: (text: string) => boolean,
  expected: string,
): string {
  if (value !== undefined && fits(value)) return value;
  throw new StartRefused(
    value === undefined ? `${option} is required: ${expected}.` : `${option} must be ${expected}.`,
  );
}

export function wholeNumber(text: string, option: string, minimum: number): number {
  if (/^\d{1,5}$/.test(text) && Number(text) >= minimum) return Number(text);
  throw new StartRefused(`${option} must be a whole number from ${minimum} to 99999.`);
}

/** The reason for a change. */
export function reasonText(value: string | undefined, option: string): string {
  const isReason = (text: string) => isPlainLine(text) && !isBlank(text) && text.length <= 1_000;
  return required(value, option, isReason, 'a reason, one line of at most 1000 characters').trim();
}

export function isExternalId(text: string): boolean {
  return text.length <= 100 && new RegExp(EXTERNAL_ID_PATTERN).test(text);
}
