import { describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency, minorDigits } from './currency.ts';

describe('minorDigits', () => {
  it.each<[Currency, number]>([
    ['JPY', 0],
    ['EUR', 2],
    ['HUF', 2],
    ['CZK', 2],
  ])('%s has %i', (currency, digits) => expect(minorDigits(currency)).toBe(digits));

  // `Intl` follows the coins in use, which differ from the exponents of ISO 4217 only for the forint.
  it.each(CURRENCIES.filter((currency) => currency !== 'HUF'))(
    'agrees with the platform about %s',
    (currency) => {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency });
      expect(minorDigits(currency)).toBe(format.resolvedOptions().maximumFractionDigits);
    },
  );
});

describe('CURRENCIES', () => {
  it('are codes the platform knows, each once', () => {
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
    expect(Intl.supportedValuesOf('currency')).toEqual(expect.arrayContaining([...CURRENCIES]));
  });
});
