/** A change of an invoice's files: its next version, and the event of that version. */
import type { Db } from '#infra/database/database';
import { nextVersion } from '#kernel/changes';
import { notFound, refusal } from '#kernel/problem';
import { recordEvents } from '#modules/webhooks';
import { assertVisible } from '#operation/caller';
import type { Context } from '#operation/operation';
import { type InvoiceColumns, type InvoiceKey, type InvoiceRow, lockInvoice } from './invoice.queries.ts';
import { updateInvoice } from './invoice-changes.queries.ts';
import { type InvoiceFileEvent, invoiceFileEvent } from './invoice-file.events.ts';
import { countInvoiceFiles, type InvoiceFileRow, insertInvoiceFile } from './invoice-file.queries.ts';
import type { InvoiceFile } from './invoice-file.schemas.ts';

/** The limit for files from the platform and its merchants, and a separate limit for files that buyers send with disputes. */
const FILES_MAX = 50;

/** Throws NOT_FOUND for an unknown invoice and for an invoice of another merchant. */
export async function lockVisibleInvoice(
  { db, platformId, caller }: Pick<Context, 'db' | 'platformId' | 'caller'>,
  externalId: string,
): Promise<InvoiceRow> {
  const invoice = await lockInvoice(db, { platformId, externalId });
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  return invoice;
}

/** Throws TOO_MANY_FILES if `count` more files of the kind would exceed the limit of the locked invoice. */
export async function assertRoomForFiles(
  db: Db,
  invoice: InvoiceKey,
  { kind, count = 1 }: { kind: InvoiceFile['kind']; count?: number },
): Promise<void> {
  if ((await countInvoiceFiles(db, invoice, { ofDisputes: kind === 'DISPUTE' })) + count <= FILES_MAX) return;
  throw refusal('TOO_MANY_FILES', `An invoice has at most ${FILES_MAX} files`, { files_max: FILES_MAX });
}

export async function recordFileChange(
  { db, platformId, now }: Pick<Context, 'db' | 'platformId' | 'now'>,
  invoice: Pick<InvoiceColumns, 'external_id' | 'version' | 'updated_at'>,
  type: InvoiceFileEvent['type'],
  file: Pick<InvoiceFileRow, 'external_id' | 'kind' | 'sha256'>,
): Promise<InvoiceColumns> {
  const changed = await updateInvoice(db, platformId, invoice.external_id, nextVersion(invoice, now));
  await recordEvents(db, [invoiceFileEvent(type, changed, file)]);
  return changed;
}

/** A file in the platform's file store that the buyer sent. The name is sealed with `sealFileName`. */
export type DisputeFile = Pick<
  InvoiceFileRow,
  'external_id' | 'file_id' | 'media_type' | 'name_sealed' | 'sha256'
>;

/** Adds files of the kind DISPUTE to a locked invoice. Throws TOO_MANY_FILES. */
export async function addDisputeFiles(
  context: Pick<Context, 'db' | 'platformId' | 'now' | 'actor'>,
  invoice: InvoiceRow,
  files: readonly DisputeFile[],
): Promise<void> {
  const { db, platformId, now, actor } = context;
  const key = { platformId, externalId: invoice.external_id };
  await assertRoomForFiles(db, key, { kind: 'DISPUTE', count: files.length });
  let current: InvoiceColumns = invoice;
  for (const { sha256, ...file } of files) {
    const row = { ...file, kind: 'DISPUTE' as const, created_at: now, actor, stated: null };
    await insertInvoiceFile(db, {
      ...row,
      platform_id: platformId,
      invoice_external_id: invoice.external_id,
    });
    current = await recordFileChange(context, current, 'INVOICE.FILE.CREATED', { ...row, sha256 });
  }
}
