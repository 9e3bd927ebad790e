import { closed } from '#kernel/fields';
import { findVisibleInvoice, InvoiceParams } from '#modules/invoices';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listDisputeRows } from '../dispute.queries.ts';
import { Dispute } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';

export const listDisputes = operation({
  id: 'listDisputes',
  summary: 'List the disputes of an invoice',
  description: 'Open and decided disputes, earliest first.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(Dispute, 'DisputeList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { vault } = context;
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listDisputeRows(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map((row) => toDispute(row, vault)), ...listed } };
  },
});
