/** Records write-offs of invoices. */
import type { ChangeContext } from '#operation/operation';
import { followDunnings } from './dunning/follow-dunnings.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { updateInvoice } from './invoice-changes.queries.ts';

/** Records the amount written off of a locked invoice, in minor units, and ends its reminders. */
export async function recordWriteOff(
  { db, platformId, actor, now }: ChangeContext,
  invoice: InvoiceRow,
  writtenOffMinor: number,
): Promise<void> {
  const settled = await updateInvoice(db, platformId, invoice.external_id, {
    written_off_amount: writtenOffMinor,
    dunning_at: null,
  });
  await followDunnings(db, platformId, [
    { invoice, settled, nextInstallment: null, isOver: true, actor, now },
  ]);
}
