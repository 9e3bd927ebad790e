/** Corrects an entry by posting its opposite. The entry itself is never changed. */
import type { JournalEntry } from './journal.queries.ts';
import type { Posting } from './posting.rules.ts';

/**
 * The posting that reverses an entry: the opposite lines about the same documents. An entry is reversed at most once, and
 * the database refuses a second reversal. Throws an error for the reversal of a reversal: post the original again.
 */
export function reversalOf(
  entry: JournalEntry,
  made: Pick<Posting, 'cause' | 'effectiveAt' | 'actor' | 'approvedBy'>,
): Posting {
  if (entry.reverses_entry !== null) throw new Error(`The entry ${entry.entry_id} is a reversal.`);
  return {
    ...made,
    currency: entry.currency,
    documents: {
      orderExternalId: entry.order_external_id,
      invoiceExternalId: entry.invoice_external_id,
      paymentId: entry.payment_id,
      creditNoteExternalId: entry.credit_note_external_id,
      serviceExternalId: entry.service_external_id,
      payoutExternalId: entry.payout_external_id,
    },
    reversesEntry: entry.entry_id,
    lines: entry.lines.map(({ account, party, amount }) => ({ account, party, amountMinor: -amount })),
  };
}
