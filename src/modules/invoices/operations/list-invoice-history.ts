import { closed } from '#kernel/fields';
import { toHistoryEntry } from '#operation/history';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { InvoiceHistoryEntry, InvoiceParams } from '../invoice.schemas.ts';
import { listInvoiceTransitions } from '../invoice-changes.queries.ts';
import { findVisibleInvoice } from '../visible-invoice.ts';

export const listInvoiceHistory = operation({
  id: 'listInvoiceHistory',
  summary: 'List the history of an invoice',
  description: 'Every transition, latest first, with its actor and reason.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(InvoiceHistoryEntry, 'InvoiceHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { caller } = context;
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listInvoiceTransitions(context, externalId, cursorPageOf(query));
    const items = rows.map(
      (row) => toHistoryEntry({ ...row, decision_id: null }, caller) as InvoiceHistoryEntry,
    );
    return { body: { items, ...listed } };
  },
});
