import { describe, expect, it } from 'vitest';
import { dueAmountOf, transferAmountOf } from './due-amount.rules.ts';

const instalment = (due_on: string, amount: number, paid_amount = 0) => ({
  ...{
    platform_id: 1,
    invoice_external_id: 'invoice',
    number: 1,
    due_at: Date.parse(due_on) / 1_000,
    due_on,
    amount,
    fee_amount: 0,
  },
  ...{ paid_amount, credited_amount: 0 },
});

/** Due in January, February and March. */
const invoice = (paid: number, paused_amount = 0) => ({
  installments: [
    instalment('2026-01-31', 3_000, Math.min(3_000, paid)),
    instalment('2026-02-28', 3_000, Math.max(0, paid - 3_000)),
    instalment('2026-03-31', 3_000),
  ],
  ...{ due_on: paid < 3_000 ? '2026-01-31' : '2026-02-28', outstanding_amount: 9_000 - paid, paused_amount },
});

describe('what is due of an invoice', () => {
  it.each([
    ['the next instalment, before its day', invoice(0), '2026-01-01', 3_000],
    ['what is left of it', invoice(1_000), '2026-01-01', 2_000],
    ['the one after it, once it is paid', invoice(3_000), '2026-01-10', 3_000],
    ['all whose day has come', invoice(0), '2026-02-28', 6_000],
    [
      'what a dispute does not keep back, of the last instalments first',
      invoice(0, 7_000),
      '2026-01-01',
      2_000,
    ],
    ['all of it, where a dispute keeps back later ones', invoice(0, 6_000), '2026-01-01', 3_000],
    ['nothing, where all is disputed', invoice(0, 9_000), '2026-03-31', 0],
    ['nothing, once nothing is owed', { ...invoice(0), outstanding_amount: 0 }, '2026-03-31', 0],
  ])('is %s', (_, row, today, minor) => {
    expect(dueAmountOf(row, today)).toBe(minor);
  });
});

describe('what one transfer pays', () => {
  it.each([
    ['what is due next, without late charges', 100, 0, 50, 3_000],
    ['late charges only, before the day of the next instalment', 100, 258, 50, 258],
    ['both, from that day on', 100, 258, 100, 3_258],
    ['late charges alone, once nothing else is due', 100, 258, 200, 258, 0],
  ])('is %s', (_, due_at, charges, now, minor, due_amount = 3_000) => {
    expect(transferAmountOf({ due_at, due_amount }, charges, now)).toBe(minor);
  });
});
