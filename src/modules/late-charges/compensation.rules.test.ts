import { describe, expect, it } from 'vitest';
import type { Currency } from '#kernel/currency';
import { compensationOf } from './compensation.rules.ts';
import type { LatePaymentLaw } from './late-payment-law.schemas.ts';
import { latePaymentLawOf, shippedReferenceRates } from './late-payment-laws.ts';
import { MissingReferenceRate } from './reference-rate.rules.ts';

function compensationIn(country: string, amountMinor: number, currency: Currency, firstDay = '2024-06-01') {
  const law = latePaymentLawOf(country) as LatePaymentLaw;
  return compensationOf(law, shippedReferenceRates(), { firstDay, amountMinor, currency });
}

describe('the fixed compensation', () => {
  it.each<[string, number, Currency, number | null]>([
    ['DE', 1, 'EUR', 4_000],
    ['DE', 100_000_000, 'EUR', 4_000],
    ['FR', 250_000, 'EUR', 4_000],
    ['GB', 99_999, 'GBP', 4_000],
    ['GB', 100_000, 'GBP', 7_000],
    ['GB', 999_999, 'GBP', 7_000],
    ['GB', 1_000_000, 'GBP', 10_000],
    ['IE', 100_000, 'EUR', 4_000],
    ['IE', 100_001, 'EUR', 7_000],
    ['SE', 5_000_000, 'SEK', 45_000],
    ['CZ', 5_000_000, 'CZK', 120_000],
    ['DK', 5_000_000, 'DKK', 31_000],
    ['CH', 800_000, 'CHF', null],
    ['US', 100_000, 'USD', null],
    ['JP', 100_000, 'JPY', null],
    // An invoice in another currency than the law's.
    ['DE', 100_000, 'USD', null],
  ])('of %s for %s %s is %s', (country, amountMinor, currency, compensation) => {
    expect(compensationIn(country, amountMinor, currency)).toBe(compensation);
  });

  // The delay begins on 16 December 2023, so the rate of 30 November counts: 4.3494 zlotys to a euro.
  // EUR 40 are PLN 173.976, EUR 70 PLN 304.458, EUR 100 PLN 434.94.
  it.each([
    [500_000, 17_398],
    [500_001, 30_446],
    [4_999_999, 30_446],
    [5_000_000, 43_494],
  ])('of Poland for %s groszy is %s', (amountMinor, compensation) => {
    expect(compensationIn('PL', amountMinor, 'PLN', '2023-12-16')).toBe(compensation);
  });

  it('became EUR 40 in Bulgaria with the euro', () => {
    expect(compensationIn('BG', 100_000, 'BGN', '2025-12-31')).toBe(8_000);
    expect(compensationIn('BG', 100_000, 'EUR', '2026-01-01')).toBe(4_000);
  });

  it('stops where the rate of the euro is not known', () => {
    expect(() => compensationIn('HU', 100_000, 'HUF')).toThrow(
      new MissingReferenceRate('MNB_EUR_HUF', '2024-06-01'),
    );
  });
});
