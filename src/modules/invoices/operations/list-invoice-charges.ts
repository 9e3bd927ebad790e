import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { listLateChargesOfInvoice } from '../late-charges/late-charge.queries.ts';
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
  query: closed(paging),
  status: 200,
  response: listOf(LateCharge, 'LateChargeList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const invoice = await findInvoice(db, key);
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const page = pageOf(query);
    const { rows, total } = await listLateChargesOfInvoice(db, key, page);
    return { body: listPage(rows.map(toLateCharge), total, page) };
  },
});
