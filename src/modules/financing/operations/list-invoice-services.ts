import { closed } from '#kernel/fields';
import { findVisibleInvoice, InvoiceParams } from '#modules/invoices';
import { InvoiceService, listServicesOfInvoice, toInvoiceService } from '#modules/services';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';

export const listInvoiceServices = operation({
  id: 'listInvoiceServices',
  summary: 'List the services of an invoice, oldest first',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(InvoiceService, 'InvoiceServiceList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params: { external_id: externalId }, query }) {
    await findVisibleInvoice(context, externalId);
    const { rows, listed } = await listServicesOfInvoice(context, externalId, cursorPageOf(query));
    return { body: { items: rows.map(toInvoiceService), ...listed } };
  },
});
