import { describe, expect, it } from 'vitest';
import type { Currency } from '#kernel/currency';
import { compensationOf, firstDelayOf } from './compensation.rules.ts';
import type { LateClaim } from './late-interest.rules.ts';
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
    // An invoice in a currency other than the law's.
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

describe('the delay that is charged first', () => {
  const GB = latePaymentLawOf('GB') as LatePaymentLaw;
  const part = (number: number, dueOn: string, changes: LateClaim['parts'][number]['changes'] = []) => ({
    ...{ number, dueOn, amountMinor: 1_000_000, changes },
  });
  /** Disputed before 31 May, and rejected on 10 June. */
  const disputed = (amountMinor: number, parts = [part(1, '2024-05-31')]): LateClaim => ({
    ...{ parts, remindedOn: [] },
    disputes: [{ from: '2024-05-20', until: '2024-06-10', amountMinor }],
  });
  const delayOn = (today: string, claim: LateClaim) => {
    const delay = firstDelayOf(claim, GB, today);
    return delay && [delay.firstDay, delay.amountMinor];
  };

  it('is none while all is disputed, and that of the due day once a day after the rejection has ended', () => {
    const claim = disputed(1_000_000);
    expect(delayOn('2024-06-10', claim)).toBeUndefined();
    expect(delayOn('2024-06-11', claim)).toEqual(['2024-06-01', 1_000_000]);
  });

  // GBP 500.00 are undisputed at first: GBP 40, and GBP 100 for GBP 10,000.00.
  it('is of the largest amount that was in delay by then, which decides the tier', () => {
    const claim = disputed(950_000);
    expect(delayOn('2024-06-10', claim)).toEqual(['2024-06-01', 50_000]);
    expect(delayOn('2024-06-11', claim)).toEqual(['2024-06-01', 1_000_000]);
    expect(compensationIn('GB', 50_000, 'GBP')).toBe(4_000);
    expect(compensationIn('GB', 1_000_000, 'GBP')).toBe(10_000);
    // An amount that is paid later was still in delay.
    const paid = disputed(0, [part(1, '2024-05-31', [{ on: '2024-06-05', amountMinor: -900_000 }])]);
    expect(delayOn('2024-06-20', paid)).toEqual(['2024-06-01', 1_000_000]);
  });

  it('is of the instalment that was charged first, not of one that was disputed then', () => {
    const parts = [part(1, '2024-05-31'), part(2, '2024-06-05')];
    expect(delayOn('2024-06-20', disputed(1_000_000, parts))).toEqual(['2024-06-01', 1_000_000]);
    const later = [part(1, '2024-06-08'), part(2, '2024-05-31')];
    expect(delayOn('2024-06-20', disputed(1_000_000, later))).toEqual(['2024-06-09', 1_000_000]);
  });

  it('begins after a payment in time that comes back', () => {
    const changes = [
      { on: '2024-05-31', amountMinor: -1_000_000 },
      { on: '2024-06-20', amountMinor: 1_000_000 },
    ];
    const claim = disputed(0, [part(1, '2024-05-31', changes)]);
    expect(delayOn('2024-06-21', claim)).toBeUndefined();
    expect(delayOn('2024-06-22', claim)).toEqual(['2024-06-01', 1_000_000]);
  });
});
