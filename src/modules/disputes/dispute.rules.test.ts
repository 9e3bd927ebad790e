import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedAmount, assertPaymentRecorded, disputableAmount } from './dispute.rules.ts';

const invoice = { status: 'OPEN', outstanding_amount: 100, disputed_amount: 0, currency: 'EUR' } as const;

describe('what can be disputed', () => {
  it.each([
    // outstanding, disputed already, wanted, amount
    [100, 0, null, 100],
    [100, 0, 1, 1],
    [100, 0, 100, 100],
    [100, 30, null, 70],
    [100, 30, 70, 70],
  ])('of %s with %s disputed, wanted %s: %s', (outstanding_amount, disputed_amount, wanted, amount) => {
    expect(disputableAmount({ ...invoice, outstanding_amount, disputed_amount }, wanted)).toBe(amount);
  });

  it.each([
    [100, 0, 101, 'DISPUTE_EXCEEDS_OUTSTANDING'],
    [100, 30, 71, 'DISPUTE_EXCEEDS_OUTSTANDING'],
    [100, 100, null, 'DISPUTE_EXCEEDS_OUTSTANDING'],
    // More has been paid since the dispute.
    [100, 150, 1, 'DISPUTE_EXCEEDS_OUTSTANDING'],
    [0, 0, null, 'INVOICE_NOT_DISPUTABLE'],
  ])('of %s with %s disputed, wanted %s: %s', (outstanding_amount, disputed_amount, wanted, reason) => {
    expect(() => disputableAmount({ ...invoice, outstanding_amount, disputed_amount }, wanted)).toThrow(
      expect.objectContaining({ reason }),
    );
  });
});

describe('what is accepted', () => {
  const creditable = { net: 10_000, tax: 1_900, gross: 11_900 };

  it.each([
    [11_900, undefined, { net: 10_000, tax: 1_900, gross: 11_900 }],
    [5_950, undefined, { net: 5_000, tax: 950, gross: 5_950 }],
    // As much as can be credited.
    [20_000, undefined, { net: 10_000, tax: 1_900, gross: 11_900 }],
    // 1 × 1,900 / 11,900 = 0.16, 4 × … = 0.64.
    [1, undefined, { net: 1, tax: 0, gross: 1 }],
    [4, undefined, { net: 3, tax: 1, gross: 4 }],
    [5_950, { gross: 1_190 }, { net: 1_000, tax: 190, gross: 1_190 }],
    [5_950, { net: 5_000, gross: 5_000 }, { net: 5_000, tax: 0, gross: 5_000 }],
  ])('of %s, wanted %j: %j', (disputed, wanted, amount) => {
    expect(acceptedAmount(disputed, creditable, wanted)).toEqual(amount);
  });

  it('is at most what is disputed', () => {
    expect(() => acceptedAmount(100, creditable, { gross: 101 })).toThrow(
      expect.objectContaining({ reason: 'ACCEPTED_AMOUNT_EXCEEDS_DISPUTE' }),
    );
  });

  it('sums up, and can be credited, whatever the amounts', () => {
    const minor = fc.integer({ min: 0, max: 1_000_000_000_000 });
    fc.assert(
      fc.property(minor, minor, fc.integer({ min: 1, max: 2_000_000_000_000 }), (net, tax, disputed) => {
        const of = { net, tax, gross: net + tax };
        fc.pre(of.gross > 0);
        const accepted = acceptedAmount(disputed, of, undefined);
        expect(accepted.net + accepted.tax).toBe(accepted.gross);
        expect(accepted.gross).toBe(Math.min(disputed, of.gross));
        for (const part of ['net', 'tax'] as const) {
          expect(accepted[part]).toBeGreaterThanOrEqual(0);
          expect(accepted[part]).toBeLessThanOrEqual(of[part]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a dispute PAID_ALREADY', () => {
  const dispute = { amount: 50, invoice_paid_amount: 20 };

  it.each([
    [70, 30],
    [100, 10],
    // Other money settled everything.
    [30, 0],
  ])('is accepted with %s paid and %s outstanding', (paid_amount, outstanding_amount) => {
    expect(() => assertPaymentRecorded(dispute, { paid_amount, outstanding_amount })).not.toThrow();
  });

  it('is not before its payment is recorded', () => {
    expect(() => assertPaymentRecorded(dispute, { paid_amount: 69, outstanding_amount: 31 })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ disputed: 50, missing: 1 }) }),
    );
  });
});
