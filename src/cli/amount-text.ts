/** Amounts as people read them, without floating-point arithmetic. */
import { type Currency, minorDigits } from '#kernel/currency';
import { halfEven } from '#kernel/half-even';

/** 2500000 cents → 25,000.00. */
export function exactAmount(minor: number, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = `${Math.abs(minor)}`.padStart(digits + 1, '0');
  const whole = grouped(text.slice(0, text.length - digits));
  return `${minor < 0 ? '-' : ''}${digits === 0 ? whole : `${whole}.${text.slice(-digits)}`}`;
}

/** 2500049 cents → 25,000: whole units, rounded half to even. */
export function wholeUnits(minor: number, currency: Currency): string {
  const units = halfEven(BigInt(Math.abs(minor)), 10n ** BigInt(minorDigits(currency)));
  return `${minor < 0 && units > 0n ? '-' : ''}${grouped(`${units}`)}`;
}

const grouped = (digits: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
