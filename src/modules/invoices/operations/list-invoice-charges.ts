import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { listLateChargeRows } from '../late-charges/late-charge.queries.ts';
import { LateCharge } from '../late-charges/late-charge.schemas.ts';
import { toLateCharge } from '../late-charges/late-charge-view.ts';

export const listInvoiceCharges = operation({
  id: 'listInvoiceCharges',
  summary: 'List the late charges of an invoice',
  description:
    'Interest and compensation that were claimed because the invoice was paid late, the earliest first, each with its ' +
    'computation. They are owed beside the invoice, also after it is paid.',
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
    const { db, platformId, caller } = context;
    const invoice = await findInvoice(db, { platformId, externalId });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const { rows, listed } = await listLateChargeRows(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map(toLateCharge), ...listed } };
  },
});
