import { closed } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { InvoiceParams } from '../invoice.schemas.ts';
import { InvoicePayment } from '../payment.schemas.ts';
import { listPaymentsOfInvoice } from '../payment-list.queries.ts';
import { showPayments } from '../payment-view.ts';
import { findVisibleInvoice } from '../visible-invoice.ts';

export const listInvoicePayments = operation({
  id: 'listInvoicePayments',
  summary: 'List the payments on an invoice',
  description: 'Newest first, reversed payments included, each with its current allocations.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(InvoicePayment, 'InvoicePaymentList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { db, platformId } = context;
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listPaymentsOfInvoice(context, externalId, cursorPageOf(query));
    return { body: { items: await showPayments(db, platformId, rows), ...listed } };
  },
});
