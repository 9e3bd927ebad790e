import { type Currency, minorDigits } from './currency.ts';
import { MINOR_UNITS_MAX } from './fields.ts';

/**
 * The amount that a person typed, in minor units: `1.234,50`, `1,234.5`, `1 234`, `1’234.–` and `١٬٢٣٤٫٥` alike, with or without the
 * currency. No currency has three decimals, so one or two digits after the last mark are decimals, and marks before three digits group.
 * Null for anything else, for 0, and for more than the maximum amount.
 */
export function typedAmount(text: string, currency: Currency): number | null {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) as number) & 0xf))
    .replaceAll(AROUND, '');
  const [, whole = '', decimals = ''] = /^(.*?\d)(?:[.,٫](\d{1,2}))?$/s.exec(plain) ?? [];
  if (decimals.length > minorDigits(currency) || !WHOLE.test(whole)) return null;
  const digits = whole.replaceAll(/\D/g, '') + decimals.padEnd(minorDigits(currency), '0');
  if (digits.length > DIGITS_MAX) return null;
  const minor = Number(digits);
  return minor > 0 && minor <= MINOR_UNITS_MAX ? minor : null;
}

/** The currency, spaces and invisible marks around the digits, and the dash that is written instead of zero cents. */
const AROUND = /^[\p{Sc}\p{L}\s\p{Bidi_Control}]+|[.,]?[\p{Sc}\p{L}\s\p{Bidi_Control}.–—-]*$/gu;
/** Without marks, or in groups of three with the same mark between them. */
const WHOLE = /^(?:\d+|\d{1,3}(?:([.,٬'’ ])\d{3})(?:\1\d{3})*)$/u;
/** A number holds this many digits exactly. */
const DIGITS_MAX = 15;
