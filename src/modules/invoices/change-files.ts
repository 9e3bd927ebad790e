/** A change of an invoice's files: its next version, and the event of that version. */
import { nextVersion } from '#kernel/changes';
import { notFound } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import { type InvoiceRow, lockInvoice } from './invoice.queries.ts';
import { updateInvoice } from './invoice-changes.queries.ts';
import { type InvoiceFileEvent, invoiceFileEvent } from './invoice-file.events.ts';
import type { InvoiceFileRow } from './invoice-file.queries.ts';

/** Throws NOT_FOUND for an unknown invoice, and for one of another merchant. */
export async function lockVisibleInvoice(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceRow> {
  const invoice = await lockInvoice(db, { platformId, externalId });
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  return invoice;
}

export async function recordFileChange(
  { db, platformId, now }: Pick<Context, 'db' | 'platformId' | 'now'>,
  invoice: InvoiceRow,
  type: InvoiceFileEvent['type'],
  file: Pick<InvoiceFileRow, 'external_id' | 'kind' | 'sha256'>,
): Promise<void> {
  const changed = await updateInvoice(db, platformId, invoice.external_id, nextVersion(invoice, now));
  await recordEvents(db, [invoiceFileEvent(type, changed, file)]);
}
