import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { InvoicePayment } from '../payment.schemas.ts';
import { listPaymentsOfInvoice } from '../payment-list.queries.ts';
import { showPayments } from '../payment-view.ts';

export const listInvoicePayments = operation({
  id: 'listInvoicePayments',
  summary: 'List the payments on an invoice',
  description: 'The newest first, reversed ones too, each with what it settles now.',
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
    const { db, platformId, caller } = context;
    const invoice = await findInvoice(db, { platformId, externalId });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const { rows, listed } = await listPaymentsOfInvoice(context, externalId, cursorPageOf(query));
    return { body: { items: await showPayments(db, platformId, rows), ...listed } };
  },
});
