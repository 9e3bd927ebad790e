import { Problem } from '#kernel/problem';
import { operation } from '#operation/operation';
import { InvoiceParams } from '../invoice.schemas.ts';
import { InvoicePayment, PaymentCreation } from '../payment.schemas.ts';
import { toInvoicePayment } from '../payment-view.ts';
import { placePayment } from '../place-payment.ts';

export const createInvoicePayment = operation({
  id: 'createInvoicePayment',
  summary: 'Record a payment on an invoice',
  description:
    'Pays all or a part of the invoice. The earliest instalment is settled first, and in it the fee of the payment term before the ' +
    'goods. Whether the buyer was late is judged by paid_at. Money beyond what is owed is refused if the merchant received ' +
    'it; if the platform received it, it belongs to the buyer, as unapplied_amount.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'own',
  params: InvoiceParams,
  body: PaymentCreation,
  status: 201,
  response: InvoicePayment,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'INVALID_STATUS_TRANSITION',
    'PAYMENT_EXCEEDS_OUTSTANDING',
  ],
  example: {
    params: { external_id: 'example-invoice' },
    body: { external_id: 'example-payment', amount: 5000, received_by: 'PLATFORM', reference: 'R-2026-0042' },
  },
  async run(context, { params, body }) {
    const recorded = await placePayment(context.db, {
      context,
      invoiceExternalId: params.external_id,
      request: body,
      amountOf: () => body.amount,
    });
    if (recorded instanceof Problem) throw recorded;
    return { body: toInvoicePayment(recorded.payment, recorded.allocations, recorded.chargeAllocations) };
  },
});
