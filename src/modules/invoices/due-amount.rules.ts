/** What of an invoice is to be paid next. Amounts are in minor units. */
import { withoutDisputed } from './disputed-amount.rules.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { outstandingOf } from './settlement.rules.ts';

/**
 * What is to be paid by a day, without what open disputes keep back: the next unpaid instalment, and others whose day has come.
 * A dispute takes off the latest instalment first.
 */
export function dueAmountOf(
  {
    installments,
    due_on: dueOn,
    outstanding_amount,
    paused_amount,
  }: Pick<InvoiceRow, 'installments' | 'due_on' | 'outstanding_amount' | 'paused_amount'>,
  today: string,
): number {
  // A cancelled invoice keeps what its instalments were, and none is owed.
  if (outstanding_amount === 0) return 0;
  const open = installments.map(outstandingOf);
  return withoutDisputed(open, paused_amount).reduce((sum, amountMinor, index) => {
    const { due_on } = installments[index] as InvoiceRow['installments'][number];
    return due_on <= dueOn || due_on <= today ? sum + amountMinor : sum;
  }, 0);
}

/** What one transfer pays now: what is due with the late charges, which always are, and before the due day what is due next. */
export function transferAmountOf(
  { due_at, due_amount }: { due_at: number; due_amount: number },
  lateChargesMinor: number,
  now: number,
): number {
  return lateChargesMinor > 0 && due_at > now ? lateChargesMinor : due_amount + lateChargesMinor;
}
