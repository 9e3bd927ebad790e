import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localDayOf } from './local-day.ts';
import { instalmentsOf, isOnCredit, PAYMENT_TERMS, type PaymentTerm } from './payment-term.ts';

const at = (text: string) => Date.parse(text) / 1_000;
const day = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', '').slice(0, 19);

describe('the instalments', () => {
  it.each<[PaymentTerm, number, string, [string, number][]]>([
    ['PREPAYMENT', 11_900, '2026-01-31T10:00:00Z', [['2026-01-31T10:00:00', 11_900]]],
    ['DEFER_3D', 11_900, '2026-02-26T10:00:00Z', [['2026-03-01T10:00:00', 11_900]]],
    ['DEFER_7D', 1, '2028-02-26T23:59:59Z', [['2028-03-04T23:59:59', 1]]],
    ['DEFER_14D', 100, '2026-12-20T00:00:00Z', [['2027-01-03T00:00:00', 100]]],
    ['DEFER_30D', 100, '2026-01-31T10:00:00Z', [['2026-03-02T10:00:00', 100]]],
    ['DEFER_120D', 1_000_000_000_000, '2026-01-01T00:00:00Z', [['2026-05-01T00:00:00', 1_000_000_000_000]]],
    [
      'SPLIT_3M',
      10_000,
      '2026-01-15T10:00:00Z',
      [
        ['2026-02-15T23:59:59', 3_334],
        ['2026-03-15T23:59:59', 3_333],
        ['2026-04-15T23:59:59', 3_333],
      ],
    ],
    // The same day of the month, clamped to the month's last day; later months use the original day again.
    [
      'SPLIT_3M',
      9_000,
      '2026-01-31T10:00:00Z',
      [
        ['2026-02-28T23:59:59', 3_000],
        ['2026-03-31T23:59:59', 3_000],
        ['2026-04-30T23:59:59', 3_000],
      ],
    ],
    [
      'SPLIT_3M',
      9_002,
      '2027-11-30T00:00:00Z',
      [
        ['2027-12-30T23:59:59', 3_002],
        ['2028-01-30T23:59:59', 3_000],
        ['2028-02-29T23:59:59', 3_000],
      ],
    ],
    // A leap day.
    [
      'SPLIT_3M',
      3,
      '2028-02-29T12:00:00Z',
      [
        ['2028-03-29T23:59:59', 1],
        ['2028-04-29T23:59:59', 1],
        ['2028-05-29T23:59:59', 1],
      ],
    ],
    // Yen have no cents. An amount smaller than one unit per instalment is due in the first instalment.
    [
      'SPLIT_6M',
      5,
      '2026-08-31T23:59:59Z',
      [
        ['2026-09-30T23:59:59', 5],
        ['2026-10-31T23:59:59', 0],
        ['2026-11-30T23:59:59', 0],
        ['2026-12-31T23:59:59', 0],
        ['2027-01-31T23:59:59', 0],
        ['2027-02-28T23:59:59', 0],
      ],
    ],
    [
      'SPLIT_6M',
      100_003,
      '2026-10-01T00:00:00Z',
      [
        ['2026-11-01T23:59:59', 16_668],
        ['2026-12-01T23:59:59', 16_667],
        ['2027-01-01T23:59:59', 16_667],
        ['2027-02-01T23:59:59', 16_667],
        ['2027-03-01T23:59:59', 16_667],
        ['2027-04-01T23:59:59', 16_667],
      ],
    ],
  ])('of %s for %i ordered at %s', (term, grossMinor, orderedAt, expected) => {
    const instalments = instalmentsOf(term, grossMinor, at(orderedAt), 'UTC');
    expect(instalments.map(({ dueAt, amountMinor }) => [day(dueAt), amountMinor])).toEqual(expected);
  });

  it('sum to the total in order of their days, the first one the largest, for every term', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAYMENT_TERMS),
        fc.integer({ min: 1, max: 1_000_000_000_000 }),
        fc.integer({ min: 1_000_000_000, max: 4_102_444_800 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'),
        (term, grossMinor, orderedAt, timeZone) => {
          const instalments = instalmentsOf(term, grossMinor, orderedAt, timeZone);
          const amounts = instalments.map(({ amountMinor }) => amountMinor);
          const [first = 0, ...others] = amounts;
          expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(grossMinor);
          expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
          // All are equal except for the remainder, which is smaller than their number.
          expect(others.every((amount) => first - amount >= 0 && first - amount < amounts.length)).toBe(true);
          const dues = instalments.map(({ dueAt }) => dueAt);
          expect(dues).toEqual(dues.toSorted((one, other) => one - other));
          if (term.startsWith('DEFER')) expect((dues[0] ?? 0) % 86_400).toBe(orderedAt % 86_400);
          if (term.startsWith('SPLIT'))
            dues.forEach((dueAt, index) => {
              const [due, ordered] = [dueAt, orderedAt].map((each) =>
                localDayOf(each, timeZone).split('-').map(Number),
              );
              const [year = 0, month = 0, date = 0] = due ?? [];
              const [yearOrdered = 0, monthOrdered = 0, dateOrdered = 0] = ordered ?? [];
              expect((year - yearOrdered) * 12 + month - monthOrdered).toBe(index + 1);
              expect(date).toBeLessThanOrEqual(dateOrdered);
              expect(localDayOf(dueAt + 1, timeZone)).not.toBe(localDayOf(dueAt, timeZone));
            });
        },
      ),
    );
  });
});

describe('credit', () => {
  it('is every term but prepayment', () => {
    expect(PAYMENT_TERMS.filter((term) => !isOnCredit(term))).toEqual(['PREPAYMENT']);
    expect(PAYMENT_TERMS).toHaveLength(13);
  });
});
