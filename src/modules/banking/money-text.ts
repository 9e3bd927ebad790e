import { type Currency, minorDigits } from '#kernel/currency';

/** 250049 cents → `2500.49 EUR`, for sentences to operators. */
export function moneyText(minor: number | bigint, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = `${minor}`.replace('-', '').padStart(digits + 1, '0');
  const decimal = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return `${minor < 0 ? '-' : ''}${decimal} ${currency}`;
}
