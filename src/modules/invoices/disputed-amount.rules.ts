/** How disputes reduce the amount that an invoice owes. Amounts are minor units. */
import type { InvoiceColumns } from './invoice.queries.ts';

/** The part of the outstanding amount that open disputes contest. Money that comes first lowers it. */
export function disputedOf({
  disputed_amount,
  outstanding_amount,
}: Pick<InvoiceColumns, 'disputed_amount' | 'outstanding_amount'>): number {
  return Math.min(disputed_amount, outstanding_amount);
}

/** The part of the outstanding amount that no dispute pauses. */
export function unpausedOf({
  paused_amount,
  outstanding_amount,
}: Pick<InvoiceColumns, 'paused_amount' | 'outstanding_amount'>): number {
  return Math.max(0, outstanding_amount - paused_amount);
}

/** The rest of each part without the disputed amount, which is taken from the latest part first, as credit notes are. */
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
