import { describe, expect, it } from 'vitest';
import { settleEarliestFirst, splitPayment } from './late-charge.rules.ts';

const OWED = { owedMinor: 100, chargedMinor: 30 };

describe('a payment on an invoice with late charges', () => {
  it.each([
    [40, 'PRINCIPAL_FIRST', 40, 0],
    [100, 'PRINCIPAL_FIRST', 100, 0],
    [110, 'PRINCIPAL_FIRST', 100, 10],
    [200, 'PRINCIPAL_FIRST', 100, 30],
    [20, 'CHARGES_FIRST', 0, 20],
    [40, 'CHARGES_FIRST', 10, 30],
    [130, 'CHARGES_FIRST', 100, 30],
    [200, 'CHARGES_FIRST', 100, 30],
  ] as const)(
    'of %s with %s pays %s of the invoice and %s of the charges',
    (amount, order, invoiceMinor, chargesMinor) => {
      expect(splitPayment(amount, OWED, order)).toEqual({ invoiceMinor, chargesMinor });
    },
  );

  it('settles the earliest charge first', () => {
    const [first, second, third] = [
      { outstanding_amount: 20 },
      { outstanding_amount: 10 },
      { outstanding_amount: 5 },
    ] as const;
    expect(settleEarliestFirst([first, second, third], 25)).toEqual([
      { charge: first, amountMinor: 20 },
      { charge: second, amountMinor: 5 },
    ]);
  });
});
