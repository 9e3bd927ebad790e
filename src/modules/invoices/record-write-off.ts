/** What was written off of an invoice. */
import type { ChangeContext } from '#operation/operation';
import { followDunnings } from './dunning/follow-dunnings.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import { updateInvoice } from './invoice-changes.queries.ts';

/** Records what was written off of a locked invoice, in minor units. Nobody is reminded of it any more. */
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
