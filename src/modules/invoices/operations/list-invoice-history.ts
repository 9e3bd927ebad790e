import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { toHistoryEntry } from '#operation/history';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceHistoryEntry, InvoiceParams } from '../invoice.schemas.ts';
import { listInvoiceTransitions } from '../invoice-changes.queries.ts';

export const listInvoiceHistory = operation({
  id: 'listInvoiceHistory',
  summary: 'List the history of an invoice',
  description: 'Every transition, the latest first, with its actor and its reason.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(paging),
  status: 200,
  response: listOf(InvoiceHistoryEntry, 'InvoiceHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const invoice = await findInvoice(db, key);
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const page = pageOf(query);
    const { rows, total } = await listInvoiceTransitions(db, key, page);
    const items = rows.map(
      (row) => toHistoryEntry({ ...row, decision_id: null }, caller) as InvoiceHistoryEntry,
    );
    return { body: listPage(items, total, page) };
  },
});
