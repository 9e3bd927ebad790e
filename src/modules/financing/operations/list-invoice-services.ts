import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findInvoice, InvoiceParams } from '#modules/invoices';
import { InvoiceService, listServicesOfInvoices, toInvoiceService } from '#modules/services';
import { assertVisible } from '#operation/caller';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';

export const listInvoiceServices = operation({
  id: 'listInvoiceServices',
  summary: 'List the services of an invoice, oldest first',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed(paging),
  status: 200,
  response: listOf(InvoiceService, 'InvoiceServiceList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run({ db, platformId, caller }, { params, query }) {
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const services = await listServicesOfInvoices(db, platformId, [invoice.external_id]);
    const page = pageOf(query);
    const shown = services.slice(page.offset, page.offset + page.limit).map(toInvoiceService);
    return { body: listPage(shown, services.length, page) };
  },
});
