/** Documents that mails had attached, filed with the invoices that they name. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Page } from '#operation/list';

export const FILED_DOCUMENT_KINDS = ['REMINDER', 'ASSIGNMENT_NOTICE'] as const;
export type FiledDocumentKind = (typeof FILED_DOCUMENT_KINDS)[number];

export interface NewFiledDocument {
  /** As the mail names it. */
  documentId: string;
  kind: FiledDocumentKind;
  /** The merchant of all its invoices; null where they are of several. */
  merchantExternalId: string | null;
  /** At least one. */
  invoiceExternalIds: readonly string[];
  /** The causes of the mails, or of the letter, that take it along. */
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

/** Files documents. One that is filed already stays as it is: its mail may have left. */
export async function insertFiledDocuments(
  db: Db,
  platformId: number,
  documents: readonly NewFiledDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const names = documents.flatMap(({ documentId, invoiceExternalIds }) =>
    [...new Set(invoiceExternalIds)].map((invoiceExternalId) => ({ documentId, invoiceExternalId })),
  );
  await sql`
    with filed as (
      insert into filed_documents (platform_id, document_id, kind, merchant_external_id, causes, filed_at, body_sealed)
      select ${platformId}::int, d.document_id, d.kind, d.merchant_external_id,
        array(select jsonb_array_elements_text(d.causes)), d.filed_at, d.body_sealed
      from ${unnestDocuments(documents)}
      on conflict (platform_id, document_id) do nothing
      returning document_id
    )
    insert into filed_document_invoices (platform_id, invoice_external_id, document_id)
    select ${platformId}::int, i.invoice_external_id, f.document_id
    from filed f join ${unnestNames(names)} on i.document_id = f.document_id`.execute(db);
}

/** What a document says, sealed; null where it was not filed. */
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
  /** When the first mail that took it along was accepted by the mail server, or the letter printed. */
  sent_at: number;
}

/** Whose documents are read: those of an invoice; for one merchant without those that name invoices of others. */
export interface FiledOf {
  invoiceExternalId: string;
  merchantExternalId: string | null;
}

const sentOf = (platformId: number, { invoiceExternalId, merchantExternalId }: FiledOf) => sql`
  select f.document_id, f.kind, s.sent_at
  from filed_document_invoices i
  join filed_documents f on f.platform_id = ${platformId} and f.document_id = i.document_id
  cross join lateral (
    select min(h.handed_over_at) as sent_at from notices n
    join notice_handovers h on h.platform_id = ${platformId} and h.notice_id = n.notice_id
    where n.platform_id = ${platformId} and n.cause = any(f.causes)
  ) s
  where i.platform_id = ${platformId} and i.invoice_external_id = ${invoiceExternalId} and s.sent_at is not null
    and (${merchantExternalId}::text is null or f.merchant_external_id = ${merchantExternalId})`;

/** Documents of an invoice that were sent, the earliest first. */
export async function listSentDocuments(
  db: Db,
  platformId: number,
  of: FiledOf,
  { limit, offset }: Page,
): Promise<{ rows: FiledDocumentRow[]; total: number }> {
  const sent = sentOf(platformId, of);
  const [{ rows }, counted] = await Promise.all([
    sql<FiledDocumentRow>`${sent} order by s.sent_at, f.document_id limit ${limit} offset ${offset}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*)::int as total from (${sent}) d`.execute(db),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** A document of an invoice that was sent; undefined for any other. */
export async function findSentDocument(
  db: Db,
  platformId: number,
  of: FiledOf,
  documentId: string,
): Promise<FiledDocumentRow | undefined> {
  const { rows } = await sql<FiledDocumentRow>`
    ${sentOf(platformId, of)} and i.document_id = ${documentId}`.execute(db);
  return rows[0];
}
