import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DB } from '#infra/database/schema';
import { jsonb, type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { FileType } from '#kernel/file-type';
import type { CursorPage } from '#operation/list';
import { inOrderOf, type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { InvoiceKey } from './invoice.queries.ts';
import type { InvoiceFile } from './invoice-file.schemas.ts';
import type { StatedInvoice } from './stated-invoice.rules.ts';

export const invoiceFilesTable = table('invoice_files', {
  platform_id: 'int',
  invoice_external_id: 'text',
  external_id: 'text',
  file_id: 'uuid',
  kind: text<InvoiceFile['kind']>(),
  media_type: text<FileType>(),
  name_sealed: 'bytea',
  created_at: 'bigint',
  actor: 'text',
  stated: jsonb<StatedInvoice | null>(),
});

/** A file of an invoice with the size and hash of the stored file. */
export type InvoiceFileRow = RowOf<typeof invoiceFilesTable> & { size_bytes: number; sha256: Buffer };

function filesOf(db: Db, { platformId, externalId }: InvoiceKey) {
  return db
    .selectFrom('invoice_files as i')
    .where('i.platform_id', '=', platformId)
    .where('i.invoice_external_id', '=', externalId);
}

const withContent = <O>(query: SelectQueryBuilder<DB & { i: DB['invoice_files'] }, 'i', O>) =>
  query
    .innerJoin('files as f', (join) =>
      join.onRef('f.platform_id', '=', 'i.platform_id').onRef('f.file_id', '=', 'i.file_id'),
    )
    .selectAll('i')
    .select(['f.size_bytes', 'f.sha256'])
    .$castTo<InvoiceFileRow>();

export async function findInvoiceFile(
  db: Db,
  invoice: InvoiceKey,
  externalId: string,
): Promise<InvoiceFileRow | undefined> {
  return withContent(filesOf(db, invoice)).where('i.external_id', '=', externalId).executeTakeFirst();
}

/** The last file of a kind, with what it states about its invoice; null if it cannot be read. */
export interface LastFile {
  invoice_external_id: string;
  file_id: string;
  stated: StatedInvoice | null;
}

/** The last file of the kind for each of the invoices that has one. */
export async function listLastFiles(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
  kind: InvoiceFile['kind'],
): Promise<LastFile[]> {
  const { rows } = await sql<LastFile>`
    select distinct on (invoice_external_id) invoice_external_id, file_id, stated from invoice_files
    where platform_id = ${platformId} and invoice_external_id = any(${arrayOf('text', invoiceExternalIds)}) and kind = ${kind}
    order by invoice_external_id, ordinal desc`.execute(db);
  return rows;
}

/** Counts all files, only those of disputes, or only the others. */
export async function countInvoiceFiles(
  db: Db,
  invoice: InvoiceKey,
  { ofDisputes }: { ofDisputes?: boolean } = {},
): Promise<number> {
  const { total } = await filesOf(db, invoice)
    .$if(ofDisputes !== undefined, (query) => query.where('i.kind', ofDisputes ? '=' : '<>', 'DISPUTE'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** An invoice has so few files that they can be sorted. */
const FILES: ListTable<{ invoice_external_id: string[] }> = {
  table: 'invoice_files',
  key: 'external_id',
  of: 'invoice_external_id',
  values: ['invoice_external_id'],
  ranges: [],
};

/** Newest first. */
export async function listInvoiceFileRows(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  const { keys, listed } = await listKeys(context, FILES, ofInvoice, page);
  const rows = await withContent(filesOf(context.db, { platformId: context.platformId, externalId }))
    .where(sql<boolean>`i.external_id = any(${arrayOf('text', keys)})`)
    .execute();
  return { rows: inOrderOf(keys, rows, (row) => row.external_id), listed };
}

export async function insertInvoiceFile(db: Db, file: NewRowOf<typeof invoiceFilesTable>): Promise<void> {
  await db.insertInto('invoice_files').values(invoiceFilesTable.insertable(file)).execute();
}

export async function deleteInvoiceFileRow(db: Db, invoice: InvoiceKey, externalId: string): Promise<void> {
  await sql`
    delete from invoice_files
    where platform_id = ${invoice.platformId} and invoice_external_id = ${invoice.externalId}
      and external_id = ${externalId}`.execute(db);
}

const placeOf = (fileId: string) => `invoice_files/${fileId}`;

export function sealFileName(vault: PlatformVault, fileId: string, name: string): Buffer {
  return vault.seal(placeOf(fileId), name);
}

export function openFileName(
  vault: PlatformVault,
  { file_id, name_sealed }: Pick<InvoiceFileRow, 'file_id' | 'name_sealed'>,
): string {
  return vault.open(placeOf(file_id), name_sealed);
}

export function toInvoiceFile(row: InvoiceFileRow, vault: PlatformVault): InvoiceFile {
  return { ...row, name: openFileName(vault, row), sha256: row.sha256.toString('hex') };
}
