/** The amount of an invoice that is to be paid next. Amounts are in minor units. */
import { withoutDisputed } from './disputed-amount.rules.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { outstandingOf } from './settlement.rules.ts';

/**
 * The amount to be paid by a day, without what open disputes hold back: the next unpaid instalment, and others whose day has come. A
 * dispute reduces the latest instalment first.
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
  // A cancelled invoice keeps the amounts of its instalments, but nothing of them is owed.
  if (outstanding_amount === 0) return 0;
  const open = installments.map(outstandingOf);
  return withoutDisputed(open, paused_amount).reduce((sum, amountMinor, index) => {
    const { due_on } = installments[index] as InvoiceRow['installments'][number];
    return due_on <= dueOn || due_on <= today ? sum + amountMinor : sum;
  }, 0);
}

/**
 * The amount of one transfer made now: the due amount and the late charges, which are always due. Before the due day, the amount due
 * next.
 */
export function transferAmountOf(
  { due_at, due_amount }: { due_at: number; due_amount: number },
  lateChargesMinor: number,
  now: number,
): number {
  return lateChargesMinor > 0 && due_at > now ? lateChargesMinor : due_amount + lateChargesMinor;
}
