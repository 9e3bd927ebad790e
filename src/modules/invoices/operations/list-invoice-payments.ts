import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
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
  query: closed(paging),
  status: 200,
  response: listOf(InvoicePayment, 'InvoicePaymentList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const invoice = await findInvoice(db, key);
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const page = pageOf(query);
    const { rows, total } = await listPaymentsOfInvoice(db, key, page);
    return { body: listPage(await showPayments(db, platformId, rows), total, page) };
  },
});
