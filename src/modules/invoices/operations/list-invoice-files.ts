import { closed } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { InvoiceParams } from '../invoice.schemas.ts';
import { listInvoiceFileRows, toInvoiceFile } from '../invoice-file.queries.ts';
import { InvoiceFile } from '../invoice-file.schemas.ts';
import { findVisibleInvoice } from '../visible-invoice.ts';

export const listInvoiceFiles = operation({
  id: 'listInvoiceFiles',
  summary: 'List the files of an invoice, newest first',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(InvoiceFile, 'InvoiceFileList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { vault } = context;
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listInvoiceFileRows(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map((row) => toInvoiceFile(row, vault)), ...listed } };
  },
});
