/** What disputes take off what an invoice owes. Amounts are minor units. */
import type { InvoiceColumns } from './invoice.queries.ts';

/** What of the outstanding amount open disputes contest: money that comes first lowers it. */
export function disputedOf({
  disputed_amount,
  outstanding_amount,
}: Pick<InvoiceColumns, 'disputed_amount' | 'outstanding_amount'>): number {
  return Math.min(disputed_amount, outstanding_amount);
}

/** What of the outstanding amount no dispute pauses. */
export function unpausedOf({
  paused_amount,
  outstanding_amount,
}: Pick<InvoiceColumns, 'paused_amount' | 'outstanding_amount'>): number {
  return Math.max(0, outstanding_amount - paused_amount);
}

/** What is left of each part without the disputed amount, which takes the latest part first, as credit notes do. */
export function withoutDisputed(parts: readonly number[], disputedMinor: number): number[] {
  let leftMinor = disputedMinor;
  return parts
    .toReversed()
    .map((amountMinor) => {
      const taken = Math.min(leftMinor, amountMinor);
      leftMinor -= taken;
      return amountMinor - taken;
    })
    .reverse();
}
