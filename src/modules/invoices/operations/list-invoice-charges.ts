import { closed } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { InvoiceParams } from '../invoice.schemas.ts';
import { listLateChargeRows } from '../late-charges/late-charge.queries.ts';
import { LateCharge } from '../late-charges/late-charge.schemas.ts';
import { toLateCharge } from '../late-charges/late-charge-view.ts';
import { findVisibleInvoice } from '../visible-invoice.ts';

export const listInvoiceCharges = operation({
  id: 'listInvoiceCharges',
  summary: 'List the late charges of an invoice',
  description:
    'Interest and compensation claimed because the invoice was paid late, earliest first, each with its ' +
    'computation. They are owed in addition to the invoice, even after it is paid.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(LateCharge, 'LateChargeList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listLateChargeRows(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map(toLateCharge), ...listed } };
  },
});
