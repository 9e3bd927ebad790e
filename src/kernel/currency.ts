export const CURRENCIES = [
  'EUR',
  'GBP',
  'USD',
  'CHF',
  'PLN',
  'CZK',
  'RON',
  'BGN',
  'DKK',
  'HUF',
  'SEK',
  'NOK',
  'JPY',
  'AUD',
  'NZD',
  'CAD',
] as const;
export type Currency = (typeof CURRENCIES)[number];

/**
 * Decimals between the main unit and the minor unit of the API: the exponent of ISO 4217. It is 2 for the forint too,
 * although no fillér has been coined since 1999. `Intl` shows forints without decimals by default, so callers pass it
 * these digits.
 */
export function minorDigits(currency: Currency): 0 | 2 {
  return currency === 'JPY' ? 0 : 2;
}

/** An amount in the main unit, as programs read it: 2500000 cents → 25000.00. Without floating-point arithmetic. */
export function plainAmount(minor: number | bigint, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = `${minor}`.replace('-', '').padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${minor < 0 ? '-' : ''}${digits === 0 ? whole : `${whole}.${text.slice(-digits)}`}`;
}
