/** Amounts as people read them, without floating-point arithmetic. */
import { type Currency, minorDigits, plainAmount } from '#kernel/currency';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import { halfEven } from '#kernel/half-even';
import { WrongUsage } from './arguments.ts';

/** 2500000 cents → 25,000.00. */
export function exactAmount(minor: number | bigint, currency: Currency): string {
  const [whole = '', decimals] = plainAmount(minor, currency).split('.');
  return decimals === undefined ? grouped(whole) : `${grouped(whole)}.${decimals}`;
}

/** 2500049 cents → 25,000: whole units, rounded half to even. */
export function wholeUnits(minor: number, currency: Currency): string {
  const units = halfEven(BigInt(Math.abs(minor)), 10n ** BigInt(minorDigits(currency)));
  return `${minor < 0 && units > 0n ? '-' : ''}${grouped(`${units}`)}`;
}

/** `exactAmount`, or `-` for null. */
export function amountOrNone(minor: number | null, currency: Currency): string {
  return minor === null ? '-' : exactAmount(minor, currency);
}

/**
 * An amount that an operator typed, in minor units: 25,000.00 → 2500000. All decimals are required, so that an amount in minor units is not
 * taken for one a hundred times as large. Throws WrongUsage.
 */
export function readAmount(text: string, option: string, currency: Currency): number {
  const digits = minorDigits(currency);
  const pattern = digits === 0 ? /^\d{1,3}(,?\d{3})*$/ : /^\d{1,3}(,?\d{3})*\.\d\d$/;
  if (!pattern.test(text)) {
    const decimals = digits === 0 ? 'without decimals' : `with ${digits} decimals`;
    const example = exactAmount(2_500_000, currency);
    throw new WrongUsage(`${option} must be an amount of ${currency} ${decimals}, such as ${example}.`);
  }
  const minor = Number(text.replaceAll(/[,.]/g, ''));
  if (minor <= MINOR_UNITS_MAX) return minor;
  throw new WrongUsage(`${option} must be at most ${exactAmount(MINOR_UNITS_MAX, currency)} ${currency}.`);
}

const grouped = (digits: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
