import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnCredit, PAYMENT_TERMS } from '#kernel/payment-term';
import { DEFAULT_PRICE_TABLE, feeOf } from './price-table.rules.ts';
import { readPriceTable } from './price-table.schemas.ts';

describe('a fee', () => {
  it.each([
    ['nothing', 10_000, 0, 1_900, { net: 0, tax: 0, gross: 0 }],
    ['1.10 %', 11_900, 110, 0, { net: 131, tax: 0, gross: 131 }],
    ['a half below an even number', 50, 100, 0, { net: 0, tax: 0, gross: 0 }],
    ['a half above an even number', 250, 100, 0, { net: 2, tax: 0, gross: 2 }],
    ['a half below an odd number', 150, 100, 0, { net: 2, tax: 0, gross: 2 }],
    ['a half above an odd number', 350, 100, 0, { net: 4, tax: 0, gross: 4 }],
    ['a little more than a half', 251, 100, 0, { net: 3, tax: 0, gross: 3 }],
    ['a little less than a half', 249, 100, 0, { net: 2, tax: 0, gross: 2 }],
    ['tax of the rounded net', 10_000, 110, 1_900, { net: 110, tax: 21, gross: 131 }],
    ['a half of tax, to the even one', 1_000, 500, 1_000, { net: 50, tax: 5, gross: 55 }],
    ['a half of tax, to the even one above', 3_000, 500, 300, { net: 150, tax: 4, gross: 154 }],
    ['a half of tax, to the even one below', 1_000, 500, 500, { net: 50, tax: 2, gross: 52 }],
    [
      'of the largest amount, to the cent',
      1_000_000_000_000,
      333,
      777,
      { net: 33_300_000_000, tax: 2_587_410_000, gross: 35_887_410_000 },
    ],
    ['all of it', 999_999_999_999, 10_000, 0, { net: 999_999_999_999, tax: 0, gross: 999_999_999_999 }],
    ['the smallest amount', 1, 5_000, 0, { net: 0, tax: 0, gross: 0 }],
    ['the smallest amount, above a half', 1, 5_001, 0, { net: 1, tax: 0, gross: 1 }],
  ])('of %s', (_, grossMinor, feeBasisPoints, taxBasisPoints, fee) => {
    expect(feeOf(grossMinor, feeBasisPoints, taxBasisPoints)).toEqual(fee);
  });

  it('is never more than half a unit from the exact one, and grows with the amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (grossMinor, basisPoints) => {
          const { net, tax, gross } = feeOf(grossMinor, basisPoints, 0);
          const distance = BigInt(net) * 10_000n - BigInt(grossMinor) * BigInt(basisPoints);
          expect((distance < 0n ? -distance : distance) <= 5_000n).toBe(true);
          expect([tax, gross]).toEqual([0, net]);
          expect(feeOf(grossMinor + 1, basisPoints, 0).net).toBeGreaterThanOrEqual(net);
        },
      ),
    );
  });
});

describe('the default price table', () => {
  it('has higher prices for a worse class and for a longer term', () => {
    const { A, B, C, D } = DEFAULT_PRICE_TABLE.fee_basis_points;
    const deferred = PAYMENT_TERMS.filter((term) => term.startsWith('DEFER'));
    for (const [better, worse] of [
      [A, B],
      [B, C],
      [C, D],
    ] as const)
      for (const term of PAYMENT_TERMS.filter(isOnCredit))
        if (worse[term] !== undefined) expect(worse[term]).toBeGreaterThanOrEqual(better[term] ?? Infinity);
    for (const prices of [A, B, C, D]) {
      const requested = deferred.flatMap((term) => prices[term] ?? []);
      expect(requested).toEqual(requested.toSorted((one, other) => one - other));
    }
  });

  it('is one that could be read from a file', () => {
    expect(readPriceTable(JSON.stringify(DEFAULT_PRICE_TABLE))).toEqual({ priceTable: DEFAULT_PRICE_TABLE });
  });
});

describe('the file of a price table', () => {
  const table = (more: object) =>
    JSON.stringify({ tax_basis_points: 0, fee_basis_points: { A: {}, B: {}, C: {}, D: {} }, ...more });

  it.each([
    ['no JSON', '{', /^it is not JSON \(/],
    ['a list', '[]', /^it must be object$/],
    ['no tax', table({ tax_basis_points: undefined }), /^tax_basis_points is required$/],
    ['a fraction', table({ tax_basis_points: 0.5 }), /^tax_basis_points must be integer$/],
    [
      'more than all',
      table({ tax_basis_points: 10_001 }),
      /^tax_basis_points must be <= 10000$|at most 10000/,
    ],
    [
      'a negative price',
      table({ fee_basis_points: { A: { DEFER_3D: -1 }, B: {}, C: {}, D: {} } }),
      /DEFER_3D/,
    ],
    [
      'a class too few',
      table({ fee_basis_points: { A: {}, B: {}, C: {} } }),
      /^fee_basis_points\.D is required$/,
    ],
    [
      'a class too many',
      table({ fee_basis_points: { A: {}, B: {}, C: {}, D: {}, E: {} } }),
      /^fee_basis_points\.E/,
    ],
    [
      'a price for prepayment',
      table({ fee_basis_points: { A: { PREPAYMENT: 0 }, B: {}, C: {}, D: {} } }),
      /^fee_basis_points\.A\.PREPAYMENT/,
    ],
    ['a name of its own', table({ note: '' }), /^note/],
  ])('with %s is refused', (_, text, fault) => {
    const read = readPriceTable(text);
    expect('faults' in read ? read.faults : []).toEqual([expect.stringMatching(fault)]);
  });
});
