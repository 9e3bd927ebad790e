/** Documents that mails attached, filed with the invoices that they name. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { storedPlatform } from '#infra/database/one-node';
import { unnestRows } from '#infra/database/unnest-rows';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';

export const FILED_DOCUMENT_KINDS = ['REMINDER', 'ASSIGNMENT_NOTICE'] as const;
export type FiledDocumentKind = (typeof FILED_DOCUMENT_KINDS)[number];

export interface NewFiledDocument {
  /** The id by which the mail refers to it. */
  documentId: string;
  kind: FiledDocumentKind;
  /** The merchant of all its invoices; null if they have several merchants. */
  merchantExternalId: string | null;
  /** At least one. */
  invoiceExternalIds: readonly string[];
  /** The causes of the mails, or of the letter, that contain it. */
  causes: readonly string[];
  /** Unix seconds. */
  filedAt: number;
  bodySealed: Buffer;
}

const unnestDocuments = unnestRows<NewFiledDocument>('d', {
  document_id: ['text', 'documentId'],
  kind: ['text', 'kind'],
  merchant_external_id: ['text', 'merchantExternalId'],
  causes: ['jsonb', 'causes'],
  filed_at: ['bigint', 'filedAt'],
  body_sealed: ['bytea', 'bodySealed'],
});
const unnestNames = unnestRows<{ documentId: string; invoiceExternalId: string }>('i', {
  document_id: ['text', 'documentId'],
  invoice_external_id: ['text', 'invoiceExternalId'],
});

/** Files documents. A document that is already filed stays unchanged, because its mail may have left. */
export async function insertFiledDocuments(
  db: Db,
  platformId: number,
  documents: readonly NewFiledDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const names = documents.flatMap(({ documentId, invoiceExternalIds }) =>
    [...new Set(invoiceExternalIds)].map((invoiceExternalId) => ({ documentId, invoiceExternalId })),
  );
  const ofInvoice = storedPlatform(
    db,
    platformId,
    'invoices',
    sql`stored.external_id = i.invoice_external_id`,
  );
  await sql`
    with filed as (
      insert into filed_documents (platform_id, document_id, kind, merchant_external_id, causes, filed_at, body_sealed)
      select ${platformId}::int, d.document_id, d.kind, d.merchant_external_id,
        array(select jsonb_array_elements_text(d.causes)), d.filed_at, d.body_sealed
      from ${unnestDocuments(documents)}
      on conflict (platform_id, document_id) do nothing
      returning document_id, filed_at
    ), named as (
      insert into filed_document_invoices (platform_id, invoice_external_id, document_id, filed_at)
      select ${ofInvoice.platformId}, i.invoice_external_id, f.document_id, f.filed_at
      from filed f join ${unnestNames(names)} on i.document_id = f.document_id ${ofInvoice.join}
    )
    select 1`.execute(db);
}

/** The sealed content of a document; null if it was not filed. */
export async function findFiledBody(db: Db, platformId: number, documentId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('filed_documents')
    .select('body_sealed')
    .where('platform_id', '=', platformId)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return row?.body_sealed ?? null;
}

export interface FiledDocumentRow {
  document_id: string;
  kind: FiledDocumentKind;
  /** When the mail server accepted the first mail with the document, or when the letter was printed. */
  sent_at: number;
}

/** The invoice whose documents are read. With a merchant, documents that name invoices of other merchants are excluded. */
export interface FiledOf {
  invoiceExternalId: string;
  merchantExternalId: string | null;
}

/** When the first mail with the document of row `t` was handed over, or when the letter was printed. */
const sentAt = (platformId: number) => sql`(
  select min(h.handed_over_at) from notices n
  join notice_handovers h on h.platform_id = ${platformId} and h.notice_id = n.notice_id
  where n.platform_id = ${platformId} and n.cause = any(
    select unnest(f.causes) from filed_documents f where f.platform_id = ${platformId} and f.document_id = t.document_id
  )
)`;

const columnsOf = (platformId: number) => sql`
  t.document_id, ${sentAt(platformId)} as sent_at,
  (select f.kind from filed_documents f where f.platform_id = ${platformId} and f.document_id = t.document_id) as kind`;

const isOfMerchant = (merchant: string, platformId: number) => sql`exists (
  select from filed_documents f where f.platform_id = ${platformId} and f.document_id = t.document_id
    and f.merchant_external_id = ${merchant}
)`;

interface SentOf {
  invoice_external_id: string[];
  is_sent: true;
  merchant_external_id?: string;
}

const SENT: ListTable<SentOf> = {
  table: 'filed_document_invoices',
  key: 'document_id',
  of: 'invoice_external_id',
  sort: 'filed_at',
  values: ['invoice_external_id'],
  ranges: [],
  conditions: {
    is_sent: (_, platformId) => sql`${sentAt(platformId)} is not null`,
    merchant_external_id: isOfMerchant,
  },
};

/** The documents of an invoice that were sent, in the order in which they were filed. */
export async function listSentDocuments(
  context: ListContext,
  { invoiceExternalId, merchantExternalId }: FiledOf,
  page: CursorPage,
) {
  const sent: SentOf = {
    ...{ invoice_external_id: [invoiceExternalId], is_sent: true },
    ...(merchantExternalId === null ? {} : { merchant_external_id: merchantExternalId }),
  };
  return listRows<SentOf, FiledDocumentRow>(context, SENT, sent, page, columnsOf(context.platformId));
}

/** A document of an invoice that was sent; undefined for any other. */
export async function findSentDocument(
  db: Db,
  platformId: number,
  { invoiceExternalId, merchantExternalId }: FiledOf,
  documentId: string,
): Promise<FiledDocumentRow | undefined> {
  const mine = merchantExternalId === null ? sql`true` : isOfMerchant(merchantExternalId, platformId);
  const { rows } = await sql<FiledDocumentRow>`
    select ${columnsOf(platformId)} from filed_document_invoices t
    where t.platform_id = ${platformId} and t.invoice_external_id = ${invoiceExternalId} and t.document_id = ${documentId}
      and ${sentAt(platformId)} is not null and ${mine}`.execute(db);
  return rows[0];
}

/**
 * When each reminder that lists an invoice was handed over, in unix seconds, earliest first. Withdrawn and abandoned reminders are
 * missing.
 */
export async function listReminderHandovers(
  db: Db,
  { platformId, externalId }: { platformId: number; externalId: string },
): Promise<number[]> {
  const { rows } = await sql<Omit<FiledDocumentRow, 'sent_at'> & { sent_at: number | null }>`
    select ${columnsOf(platformId)} from filed_document_invoices t
    where t.platform_id = ${platformId} and t.invoice_external_id = ${externalId}`.execute(db);
  return rows
    .flatMap(({ kind, sent_at }) => (kind === 'REMINDER' && sent_at !== null ? [sent_at] : []))
    .sort((one, other) => one - other);
}
