import { notFound } from '#kernel/problem';
import { findInvoice } from '#modules/invoices';
import { InvoiceService, listServicesOfInvoices, toInvoiceService } from '#modules/services';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { cancelService } from '../cancel-service.ts';
import { InvoiceServiceParams } from '../financing.schemas.ts';

export const cancelInvoiceService = operation({
  id: 'cancelInvoiceService',
  summary: 'Cancel the last service of a type on an invoice',
  description:
    'A request in review is withdrawn. An accepted financing is undone, with its entries, its credit and its payout line, as ' +
    'long as the payout is not instructed and no part of the invoice was paid or credited since.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceServiceParams,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: InvoiceService,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  example: { params: { external_id: 'example-invoice', service_type: 'INSURANCE' } },
  async run(context, { params }) {
    const { db, platformId, caller, assertVersion } = context;
    // Not locked yet, because the review of a financing is locked before its invoice.
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const ofType = { type: params.service_type };
    const last = (await listServicesOfInvoices(db, platformId, [invoice.external_id], ofType)).at(-1);
    if (!last) throw notFound();
    const cancelled = await cancelService(context, last.external_id, { assertVersion });
    return { body: toInvoiceService(cancelled), version: cancelled.version };
  },
});
