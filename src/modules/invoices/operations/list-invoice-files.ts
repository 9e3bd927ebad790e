import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { listInvoiceFileRows, toInvoiceFile } from '../invoice-file.queries.ts';
import { InvoiceFile } from '../invoice-file.schemas.ts';

export const listInvoiceFiles = operation({
  id: 'listInvoiceFiles',
  summary: 'List the files of an invoice, newest first',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(paging),
  status: 200,
  response: listOf(InvoiceFile, 'InvoiceFileList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller, vault }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const [invoice, page] = await Promise.all([
      findInvoice(db, key),
      listInvoiceFileRows(db, key, pageOf(query)),
    ]);
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    return { body: { ...page, items: page.items.map((row) => toInvoiceFile(row, vault)) } };
  },
});
