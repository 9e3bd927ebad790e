/** Reminders and notices of assignment sent to the buyer, as they were filed with their invoices. */
import { findFiledDocument, getFiledDocument, listFiledDocuments } from '#modules/statements';
import type { AnsweredFile } from '#operation/file-body';
import { LIMIT_MAX } from '#operation/list';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { findOwnInvoice, nullIfMissing } from './own-invoice.ts';

export interface SentDocumentOnPage {
  id: string;
  /** In the language in which the document was written. */
  title: string;
  /** BCP 47. */
  locale: string;
  /** Unix seconds. */
  sentAt: number;
}

/** Lists the first filed first. */
export async function readSentDocuments(
  context: Context,
  invoiceExternalId: string,
): Promise<SentDocumentOnPage[]> {
  const { db, platformId, vault } = context;
  const { items } = await runOperation(listFiledDocuments, {
    context,
    input: { params: { external_id: invoiceExternalId }, query: { limit: LIMIT_MAX, total: false } },
  });
  const sent = items.map(async ({ document_id: id, sent_at: sentAt }): Promise<SentDocumentOnPage[]> => {
    const body = await findFiledDocument(db, vault, { platformId, documentId: id });
    return body === null ? [] : [{ id, sentAt, title: body.title, locale: body.locale }];
  });
  return (await Promise.all(sent)).flat();
}

/** Null for an unknown document, and for one about an invoice of another buyer. */
export async function readSentDocument(
  context: Context,
  buyer: string,
  { invoice, id }: { invoice: string; id: string },
): Promise<AnsweredFile | null> {
  if ((await findOwnInvoice(context, buyer, invoice)) === null) return null;
  const read = runOperation(getFiledDocument, {
    context,
    input: { params: { external_id: invoice, document_id: id } },
    answerOf: ({ file }) => file ?? null,
  });
  return nullIfMissing(read);
}
