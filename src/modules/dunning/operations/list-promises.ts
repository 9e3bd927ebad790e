import { closed } from '#kernel/fields';
import { findVisibleInvoice, InvoiceParams } from '#modules/invoices';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listPromisesOfInvoice } from '../promise.queries.ts';
import { PromiseToPay } from '../promise.schemas.ts';
import { toPromise } from '../promise-view.ts';

export const listPromises = operation({
  id: 'listPromises',
  summary: 'List the promises to pay of an invoice',
  description: 'All promises, including ended and withdrawn ones, the earliest first.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(PromiseToPay, 'PromiseList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { timeZone } = context;
    const invoice = await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listPromisesOfInvoice(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map((row) => toPromise(row, invoice, timeZone)), ...listed } };
  },
});
