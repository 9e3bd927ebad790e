/** Reading the options of a command. */
import { StartRefused } from '#kernel/start-refused';

/** The option's value, which must be there and fit. `expected` completes "it must be …". */
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
