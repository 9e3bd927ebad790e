import { Problem, refusal } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findInvoice, type InvoiceRow } from '../invoice.queries.ts';
import { Invoice, InvoiceParams } from '../invoice.schemas.ts';
import { isBeyondInvoice, showInvoices } from '../invoice-view.ts';
import { FullPayment } from '../payment.schemas.ts';
import { placePayment } from '../place-payment.ts';

export const payInvoice = operation({
  id: 'payInvoice',
  summary: 'Mark an invoice as paid',
  description:
    'Records a payment of the full outstanding amount, without late charges. The invoice becomes CLOSED.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'own',
  params: InvoiceParams,
  body: FullPayment,
  isBodyOptional: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Invoice,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'INVALID_STATUS_TRANSITION',
    'INVOICE_ALREADY_PAID',
  ],
  example: { params: { external_id: 'example-invoice' }, body: { received_by: 'PLATFORM' } },
  async run(context, { params, body }) {
    const { db, platformId, vault, now, timeZone, assertVersion } = context;
    const recorded = await placePayment(db, {
      context,
      invoiceExternalId: params.external_id,
      request: body ?? {},
      isForInvoice: true,
      amountOf(invoice) {
        assertVersion(invoice.version);
        if (invoice.status === 'CLOSED')
          throw refusal('INVOICE_ALREADY_PAID', 'The invoice is paid', { paid_at: invoice.paid_at });
        return invoice.outstanding_amount;
      },
    });
    if (recorded instanceof Problem) throw recorded;
    const row = (await findInvoice(db, { platformId, externalId: params.external_id })) as InvoiceRow;
    const [shown] = (await showInvoices(db, platformId, [row], { vault, now, timeZone })) as [Invoice];
    return { body: shown, version: row.version, isBeyondVersion: isBeyondInvoice(shown) };
  },
});
