import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findInvoice, InvoiceParams } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listPromisesOfInvoice } from '../promise.queries.ts';
import { PromiseToPay } from '../promise.schemas.ts';
import { toPromise } from '../promise-view.ts';

export const listPromises = operation({
  id: 'listPromises',
  summary: 'List the promises to pay of an invoice',
  description: 'All of them, also those that are over or withdrawn: the earliest first.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(paging),
  status: 200,
  response: listOf(PromiseToPay, 'PromiseList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller, timeZone }, { params, query }) {
    const { external_id: externalId } = params;
    const invoice = await findInvoice(db, { platformId, externalId });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const page = pageOf(query);
    const { rows, total } = await listPromisesOfInvoice(db, platformId, externalId, page);
    const promises = rows.map((row) => toPromise(row, invoice, timeZone));
    return { body: listPage(promises, total, page) };
  },
});
