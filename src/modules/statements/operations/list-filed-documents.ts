import { closed } from '#kernel/fields';
import { findVisibleInvoice, InvoiceParams } from '#modules/invoices';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listSentDocuments } from '../filed-document.queries.ts';
import { FiledDocument } from '../filed-document.schemas.ts';

export const listFiledDocuments = operation({
  id: 'listFiledDocuments',
  summary: 'List the documents that were sent about an invoice',
  description:
    'Attachments of mails to the buyer, and printed letters, earliest first. A reminder names everything that the buyer owes the ' +
    'creditor, and is listed with each of these invoices. A key that is restricted to a merchant does not see reminders that name ' +
    'invoices of others.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(FiledDocument, 'FiledDocumentList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params, query }) {
    const { external_id: invoiceExternalId } = params;
    await findVisibleInvoice(context, invoiceExternalId);
    const of = { invoiceExternalId, merchantExternalId: context.caller.merchantExternalId };
    const { rows, listed } = await listSentDocuments(context, of, cursorPageOf(query));
    return { body: { items: rows, ...listed } };
  },
});
