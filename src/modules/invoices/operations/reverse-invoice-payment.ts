import { operation } from '#operation/operation';
import { InvoicePayment, PaymentParams, PaymentReversal } from '../payment.schemas.ts';
import { showPayments } from '../payment-view.ts';
import { reversePayment } from '../reverse-payment.ts';

export const reverseInvoicePayment = operation({
  id: 'reverseInvoicePayment',
  summary: 'Reverse a payment',
  description:
    'The payment bounced, or was recorded by mistake. What it settled is owed again: a paid invoice becomes OPEN or DUE and ' +
    'uses the credit again, even beyond the limit. A reversal is final; record a new payment if the money arrives after all.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: PaymentParams,
  body: PaymentReversal,
  status: 200,
  response: InvoicePayment,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'PAYMENT_ALREADY_REVERSED'],
  example: {
    params: { external_id: 'example-invoice', payment_external_id: 'example-payment' },
    body: { reason: 'The direct debit was returned.' },
  },
  async run(context, { params, body }) {
    const key = { invoiceExternalId: params.external_id, externalId: params.payment_external_id };
    const reversed = await reversePayment(context, key, body.reason);
    const [shown] = await showPayments(context.db, context.platformId, [reversed]);
    return { body: shown as InvoicePayment };
  },
});
