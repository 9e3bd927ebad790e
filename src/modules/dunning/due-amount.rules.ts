/** What of an invoice a buyer is reminded of. */
import { type InvoiceRow, outstandingOf, withoutDisputed } from '#modules/invoices';

/**
 * What is to be paid by a day, without what open disputes keep back: the next unpaid instalment, and others whose day has come.
 * Minor units. A dispute takes off the latest instalment first.
 */
export function dueAmountOf(
  { installments, due_on: dueOn, paused_amount }: InvoiceRow,
  today: string,
): number {
  const open = installments.map(outstandingOf);
  return withoutDisputed(open, paused_amount).reduce((sum, amountMinor, index) => {
    const { due_on } = installments[index] as InvoiceRow['installments'][number];
    return due_on <= dueOn || due_on <= today ? sum + amountMinor : sum;
  }, 0);
}
