import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findInvoice, InvoiceParams } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listDisputesOfInvoice } from '../dispute.queries.ts';
import { Dispute } from '../dispute.schemas.ts';
import { toDispute } from '../dispute-view.ts';

export const listDisputes = operation({
  id: 'listDisputes',
  summary: 'List the disputes of an invoice',
  description: 'All of them, also those that are decided: the earliest first.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(paging),
  status: 200,
  response: listOf(Dispute, 'DisputeList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller, vault }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const invoice = await findInvoice(db, key);
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const page = pageOf(query);
    const { rows, total } = await listDisputesOfInvoice(db, key, page);
    return {
      body: listPage(
        rows.map((row) => toDispute(row, vault)),
        total,
        page,
      ),
    };
  },
});
