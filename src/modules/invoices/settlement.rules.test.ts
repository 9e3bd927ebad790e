import { describe, expect, it } from 'vitest';
import type { InstalmentRow, InvoiceColumns } from './invoice.queries.ts';
import type { PaymentRow } from './payment.queries.ts';
import { layOut } from './payment-layout.rules.ts';
import {
  defaultsAt,
  fallsDueAt,
  nextDueOf,
  type OwedChange,
  type OwingInvoice,
  owedInstalments,
  settlementOf,
} from './settlement.rules.ts';
import { settlementPostings } from './settlement-postings.rules.ts';

const DAY = 86_400;
/** The days on which the two instalments are due. */
const FIRST = Date.parse('2026-01-10T12:00:00Z') / 1_000;
const SECOND = Date.parse('2026-02-10T12:00:00Z') / 1_000;

const payment = (external_id: string, more: Partial<PaymentRow> = {}) =>
  ({
    external_id,
    amount: 50,
    received_by: 'PLATFORM',
    paid_at: FIRST,
    paid_on: '2026-01-10',
    ...more,
  }) as PaymentRow;

/** An invoice over 200 with a fee of 10 in two instalments, of which these payments were recorded. */
function owing(
  status: InvoiceColumns['status'],
  paid: number[],
  more: Partial<InvoiceColumns> = {},
): OwingInvoice {
  const instalment = (number: number, at: number, fee_amount: number) =>
    ({
      number,
      due_at: at,
      due_on: new Date(at * 1_000).toISOString().slice(0, 10),
      amount: 100,
      fee_amount,
      paid_amount: 0,
      credited_amount: 0,
    }) as InstalmentRow;
  const installments = [instalment(1, FIRST, 10), instalment(2, SECOND, 0)];
  const money = paid.map((amountMinor, index) => ({ paymentId: `p${index + 1}`, amountMinor }));
  const allocated = layOut(installments, money);
  return {
    invoice: {
      external_id: 'i',
      status,
      currency: 'EUR',
      amount_gross: 200,
      term_fee_net: 8,
      term_fee_tax: 2,
      term_fee_gross: 10,
      merchant_fee_net: 0,
      merchant_fee_tax: 0,
      merchant_fee_gross: 0,
      credited_amount: 0,
      buyer_external_id: 'b',
      merchant_external_id: 'm',
      is_financed: false,
      written_off_amount: 0,
      disputed_amount: 0,
      paused_amount: 0,
      installments,
      ...more,
    } as OwingInvoice['invoice'],
    applied: money.map(({ paymentId, amountMinor }) => ({
      payment: payment(paymentId, { amount: amountMinor }),
      allocated: allocated.filter((each) => each.paymentId === paymentId),
    })),
  };
}

const paying = (amountMinor: number): OwedChange => ({
  cause: 'PAYMENT',
  payment: payment('new', { amount: amountMinor }),
  amountMinor,
});
const crediting = (amountMinor: number): OwedChange => ({
  cause: 'CREDIT_NOTE',
  creditNoteExternalId: 'cn',
  amountMinor,
});
const reversing = (paymentId: string): OwedChange => ({ cause: 'REVERSAL', payment: payment(paymentId) });

const at = (now: number) => ({ now, timeZone: 'UTC' });

describe('the status after a change', () => {
  it.each<[string, OwingInvoice, OwedChange, number, string | null, number[], number]>([
    ['part of the first', owing('OPEN', []), paying(50), FIRST, null, [50, 0], 0],
    ['all that is owed', owing('OPEN', [50]), paying(160), FIRST, 'pay', [110, 100], 0],
    ['all that is owed, late', owing('DUE', [50]), paying(160), SECOND + DAY, 'pay', [110, 100], 0],
    ['the arrears', owing('DUE', []), paying(110), FIRST + DAY, 'cure', [110, 0], 0],
    ['a part of the arrears', owing('DUE', []), paying(109), FIRST + DAY, null, [109, 0], 0],
    ['the first, when both are past', owing('DUE', []), paying(110), SECOND + DAY, null, [110, 0], 0],
    ['a reversal in time', owing('CLOSED', [110, 100]), reversing('p1'), FIRST, 'reopen', [100, 0], 0],
    [
      'a reversal after the day',
      owing('CLOSED', [110, 100]),
      reversing('p1'),
      FIRST + DAY,
      'reopen_due',
      [100, 0],
      0,
    ],
    ['a reversal of what was not all', owing('OPEN', [110, 50]), reversing('p2'), FIRST, null, [110, 0], 0],
    ['a credit note', owing('OPEN', [110]), crediting(40), FIRST, null, [110, 0], 40],
    ['a credit note of the rest', owing('OPEN', [110]), crediting(100), FIRST, 'pay', [110, 0], 100],
    ['a credit note beyond the rest', owing('OPEN', [110]), crediting(150), FIRST, 'pay', [60, 0], 150],
    ['a credit note after payment', owing('CLOSED', [210]), crediting(20), FIRST, null, [110, 80], 20],
    ['a credit note of everything', owing('DUE', [60]), crediting(200), SECOND, 'credit', [0, 0], 200],
    ['a refund', owing('CLOSED', [210]), { cause: 'REFUND' }, FIRST, 'refund', [0, 0], 0],
  ])('%s', (_, invoice, change, now, trigger, paid, credited) => {
    const settlement = settlementOf(invoice, change, at(now));
    expect(settlement.trigger).toBe(trigger);
    expect(settlement.installments.map(({ paid_amount }) => paid_amount)).toEqual(paid);
    expect(settlement.creditedMinor).toBe(credited);
    expect(settlement.paidMinor).toBe(paid.reduce((sum, amount) => sum + amount, 0));
  });
});

describe('the day of an invoice', () => {
  const { installments } = settlementOf(owing('OPEN', []), paying(110), at(FIRST));

  it('is that of the next unpaid instalment, or of the last one', () => {
    expect(nextDueOf(installments)).toEqual({ due_at: SECOND, due_on: '2026-02-10' });
    const paid = settlementOf(owing('OPEN', []), paying(210), at(FIRST));
    expect(nextDueOf(paid.installments).due_at).toBe(SECOND);
  });

  it('ends at midnight, or now if that has passed', () => {
    expect(fallsDueAt({ due_on: '2026-01-10' }, at(FIRST))).toBe(Date.parse('2026-01-11T00:00:00Z') / 1_000);
    expect(fallsDueAt({ due_on: '2026-01-10' }, at(SECOND))).toBe(SECOND);
  });

  it('is judged for default when 90 days after it have ended, or now if that has passed', () => {
    const judged = Date.parse('2026-04-11T00:00:00Z') / 1_000;
    expect(defaultsAt({ due_on: '2026-01-10' }, at(SECOND))).toBe(judged);
    expect(defaultsAt({ due_on: '2026-01-10' }, at(judged + DAY))).toBe(judged + DAY);
  });

  it('leaves as owed what is unpaid of each instalment', () => {
    const { invoice } = owing('DUE', []);
    const owed = (installments: InstalmentRow[]) =>
      owedInstalments(invoice, installments).map((each) => [each.installment, each.outstandingMinor]);
    expect(owed([...invoice.installments])).toEqual([
      [1, 110],
      [2, 100],
    ]);
    expect(owed(installments)).toEqual([[2, 100]]);
  });

  it('leaves out what disputes pause, of the latest instalment first', () => {
    const { invoice } = owing('DUE', []);
    const owed = (paused_amount: number) =>
      owedInstalments({ ...invoice, paused_amount }, [...invoice.installments]).map((each) => [
        each.installment,
        each.outstandingMinor,
      ]);
    expect(owed(30)).toEqual([
      [1, 110],
      [2, 70],
    ]);
    expect(owed(150)).toEqual([[1, 60]]);
    expect(owed(210)).toEqual([]);
    expect(owed(1_000)).toEqual([]);
  });
});

describe('the entries of a change', () => {
  const written = (invoice: OwingInvoice, change: OwedChange) =>
    settlementPostings(invoice, change, settlementOf(invoice, change, at(FIRST)), {
      actor: 'service',
      effectiveAt: FIRST,
    }).map(({ cause, documents, lines }) =>
      [
        cause,
        documents?.paymentId ?? '-',
        ...lines
          .filter(({ amountMinor }) => amountMinor !== 0)
          .map(({ account, party, amountMinor }) => `${`${account} ${party}`.trim()} ${amountMinor}`),
      ].join(', '),
    );
  const financed = { is_financed: true };
  const NO_FEE = 'TERM_FEE_CANCELLED, -, term_fee_receivable b -10, term_fee_income 8, fee_tax S 2';

  it.each<[string, OwingInvoice, OwedChange, string[]]>([
    [
      'a payment',
      owing('OPEN', []),
      paying(50),
      ['PAYMENT_RECORDED, new, bank main 50, term_fee_receivable b -10, merchant_payable m -40'],
    ],
    [
      'a payment of a financed one',
      owing('OPEN', [10], financed),
      paying(50),
      ['PAYMENT_RECORDED, new, bank main 50, buyer_receivable b -50'],
    ],
    [
      'cash that is applied',
      owing('OPEN', [10]),
      { cause: 'APPLICATION', payment: payment('old', { amount: 90 }), amountMinor: 30 },
      ['CASH_APPLIED, old, merchant_payable m -30, unapplied_cash b 30'],
    ],
    [
      'a reversal, after which the next payment pays the fee',
      owing('OPEN', [10, 50]),
      reversing('p1'),
      ['CASH_APPLIED, p2, term_fee_receivable b -10, merchant_payable m 10'],
    ],
    ['a credit note of what is owed', owing('OPEN', [110]), crediting(40), []],
    [
      'a credit note of what is paid',
      owing('CLOSED', [210]),
      crediting(20),
      ['CREDIT_NOTE_ISSUED, p1, merchant_payable m 20, unapplied_cash b -20'],
    ],
    [
      'a credit note of a financed one',
      owing('OPEN', [], financed),
      crediting(40),
      ['CREDIT_NOTE_ISSUED, -, merchant_setoff m 40, buyer_receivable b -40'],
    ],
    [
      'a refund',
      owing('OPEN', [60]),
      { cause: 'REFUND' },
      [
        'INVOICE_CANCELLED, p1, term_fee_receivable b 10, merchant_payable m 50, unapplied_cash b -60',
        NO_FEE,
      ],
    ],
  ])('%s', (_, invoice, change, entries) => {
    expect(written(invoice, change)).toEqual(entries);
  });
});
