import { Type } from 'typebox';
import { localDayOf } from '#kernel/local-day';
import { notFound } from '#kernel/problem';
import { findInvoice } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { documentFile } from '../document-file.ts';
import { findFiledDocument } from '../file-document.ts';
import { findSentDocument } from '../filed-document.queries.ts';
import { FiledDocumentParams } from '../filed-document.schemas.ts';

export const getFiledDocument = operation({
  id: 'getFiledDocument',
  summary: 'Retrieve a document that was sent about an invoice, as a PDF',
  description:
    'The bytes that were attached to the mail. The stored content stays the same, regardless of later changes of the invoice.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: FiledDocumentParams,
  status: 200,
  answersFile: ['application/pdf'],
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', document_id: 'example-document' } },
  async run({ db, platformId, caller, vault, timeZone }, { params }) {
    const { external_id: invoiceExternalId, document_id: documentId } = params;
    const invoice = await findInvoice(db, { platformId, externalId: invoiceExternalId });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const of = { invoiceExternalId, merchantExternalId: caller.merchantExternalId };
    const sent = await findSentDocument(db, platformId, of, documentId);
    const body = sent && (await findFiledDocument(db, vault, { platformId, documentId }));
    if (!sent || !body) throw notFound();
    const day = localDayOf(sent.sent_at, timeZone);
    const name = `${sent.kind.toLowerCase().replace('_', '-')}-${invoiceExternalId}-${day}`;
    return { body: null, file: await documentFile(name, body) };
  },
});
