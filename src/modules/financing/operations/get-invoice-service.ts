import { notFound } from '#kernel/problem';
import { findInvoice } from '#modules/invoices';
import { InvoiceService, listServicesOfInvoices, toInvoiceService } from '#modules/services';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { InvoiceServiceParams } from '../financing.schemas.ts';

export const getInvoiceService = operation({
  id: 'getInvoiceService',
  summary: 'Retrieve the last service of a type on an invoice',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceServiceParams,
  isVersioned: true,
  status: 200,
  response: InvoiceService,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', service_type: 'FINANCING' } },
  async run({ db, platformId, caller }, { params }) {
    const { external_id: externalId, service_type: type } = params;
    const invoice = await findInvoice(db, { platformId, externalId });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const service = (await listServicesOfInvoices(db, platformId, [externalId], { type })).at(-1);
    if (!service) throw notFound();
    // An examination changes the requirements and the fee without a new version.
    return {
      body: toInvoiceService(service),
      version: service.version,
      isBeyondVersion: service.requirements.length > 0,
    };
  },
});
