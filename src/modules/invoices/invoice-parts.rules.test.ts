import { describe, expect, it } from 'vitest';
import { instalmentsOf, type PaymentTerm } from '#kernel/payment-term';
import { AMOUNTS_TIMEOUT, randomAmount, same, withRandomAmounts } from '#test/random-amounts';
import { feePartOf, instalmentsOfPart } from './invoice-parts.rules.ts';

const agreedOf = (term: PaymentTerm, grossMinor: number) =>
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

  it('sums to the agreed fee over invoices and cancellations in any order', {
    timeout: AMOUNTS_TIMEOUT,
  }, () => {
    withRandomAmounts((random) => {
      const [gross, net, tax] = [
        randomAmount(random),
        random.below(1_000_000_001),
        random.below(200_000_001),
      ];
      const live: { amount: number; net: number; tax: number }[] = [];
      const sum = (name: 'amount' | 'net' | 'tax') => live.reduce((total, each) => total + each[name], 0);
      const invoice = (amount: number) => {
        const before = { amountMinor: sum('amount'), fee: { net: sum('net'), tax: sum('tax') } };
        live.push({ amount, ...feePartOf({ net, tax }, gross, amount, before) });
      };
      for (let steps = random.below(13); steps > 0; steps--) {
        const left = gross - sum('amount');
        if (random.percent(50) && live.length > 0) live.splice(random.below(live.length), 1);
        else if (left > 0) invoice(1 + (randomAmount(random) % left));
        same(sum('net') <= net && sum('tax') <= tax, true, 'parts of the fee');
      }
      if (sum('amount') < gross) invoice(gross - sum('amount'));
      same(sum('net'), net, 'net of all parts');
      same(sum('tax'), tax, 'tax of all parts');
    });
  });
});
