/** What a cancelled invoice gives back to its orders. */
import type { CancelledPart } from '#modules/orders';
import type { InvoiceColumns, InvoiceOrderRow } from './invoice.queries.ts';

/**
 * The parts of a cancelled invoice, in the order in which it listed its orders. `usedMinor` is the credit that the invoice still used:
 * payments and credit notes have released the first parts.
 */
export function cancelledParts(
  { external_id, credit_amount }: Pick<InvoiceColumns, 'external_id' | 'credit_amount'>,
  parts: readonly Pick<InvoiceOrderRow, 'order_external_id' | 'amount' | 'credit_amount'>[],
  usedMinor: number,
): CancelledPart[] {
  let releasedMinor = credit_amount - usedMinor;
  return parts
    .map(({ order_external_id, amount, credit_amount: onCreditMinor }) => {
      const releasedOfPart = Math.min(onCreditMinor, releasedMinor);
      releasedMinor -= releasedOfPart;
      return {
        orderExternalId: order_external_id,
        invoiceExternalId: external_id,
        amountMinor: amount,
        usedMinor: onCreditMinor - releasedOfPart,
      };
    })
    .filter(({ amountMinor }) => amountMinor > 0);
}
