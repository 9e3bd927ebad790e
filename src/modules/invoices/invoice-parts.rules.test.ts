import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instalmentsOf, PAYMENT_TERMS } from '#kernel/payment-term';
import { feePartOf, instalmentsOfPart } from './invoice-parts.rules.ts';

const RUNS = Number(process.env.AMOUNTS ?? 20_000);
const minor = fc.integer({ min: 1, max: 1_000_000_000_000 });

const agreedOf = (term: (typeof PAYMENT_TERMS)[number], grossMinor: number) =>
  instalmentsOf(term, grossMinor, 0, 'UTC').map(({ dueAt, amountMinor }) => ({
    due_at: dueAt,
    amount: { value: amountMinor, currency: 'EUR' as const },
  }));

describe('the instalments of a part of an order', () => {
  it('are in proportion, with the remainder in the first', () => {
    expect(instalmentsOfPart(agreedOf('SPLIT_3M', 10_000), 5_000, 10_000)).toEqual([1_668, 1_666, 1_666]);
    expect(instalmentsOfPart(agreedOf('SPLIT_3M', 10_000), 1, 10_000)).toEqual([1, 0, 0]);
    expect(instalmentsOfPart(agreedOf('DEFER_30D', 10_000), 7, 10_000)).toEqual([7]);
  });

  it('sum to the part, whatever the amounts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAYMENT_TERMS),
        minor,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (term, gross, share) => {
          const part = Math.max(1, Math.floor(gross * share));
          const parts = instalmentsOfPart(agreedOf(term, gross), part, gross);
          expect(parts.reduce((sum, each) => sum + each, 0)).toBe(part);
          expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('the part of a fee', () => {
  it('rounds half to even, and the last invoice brings the rest', () => {
    const before = { amountMinor: 0, fee: { net: 0, tax: 0 } };
    expect(feePartOf({ net: 5, tax: 1 }, 10, 5, before)).toEqual({ net: 2, tax: 0 });
    expect(feePartOf({ net: 5, tax: 1 }, 10, 5, { amountMinor: 5, fee: { net: 2, tax: 0 } })).toEqual({
      net: 3,
      tax: 1,
    });
  });

  it('sums to the agreed fee over invoices and cancellations in any order', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(minor, fc.nat(1_000_000_000), fc.nat(200_000_000), steps, (gross, net, tax, made) => {
        const live: { amount: number; net: number; tax: number }[] = [];
        const sum = (name: 'amount' | 'net' | 'tax') => live.reduce((total, each) => total + each[name], 0);
        const invoice = (amount: number) => {
          const before = { amountMinor: sum('amount'), fee: { net: sum('net'), tax: sum('tax') } };
          live.push({ amount, ...feePartOf({ net, tax }, gross, amount, before) });
        };
        for (const [isCancellation, share] of made) {
          const left = gross - sum('amount');
          if (isCancellation && live.length > 0) live.splice(Math.floor(share * (live.length - 1)), 1);
          else if (left > 0) invoice(Math.max(1, Math.floor(left * share)));
          expect(sum('net')).toBeLessThanOrEqual(net);
          expect(sum('tax')).toBeLessThanOrEqual(tax);
        }
        if (sum('amount') < gross) invoice(gross - sum('amount'));
        expect({ net: sum('net'), tax: sum('tax') }).toEqual({ net, tax });
      }),
      { numRuns: RUNS },
    );
  });
});
