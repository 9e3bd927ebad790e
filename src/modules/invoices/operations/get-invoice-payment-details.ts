import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { PaymentDetails } from '../payment-details.schemas.ts';
import { paymentDetailsOf } from '../payment-details.ts';

export const getInvoicePaymentDetails = operation({
  id: 'getInvoicePaymentDetails',
  summary: 'Retrieve what to print on an invoice',
  description:
    'The account, amount, due day and reference of the payment, the text of a QR code for banking apps and, once the ' +
    'claim has moved, the notice of assignment that the merchant must print. Read it when you print the invoice: the amount ' +
    'owed, the account and the owner of the claim can change.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  status: 200,
  response: PaymentDetails,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' } },
  async run(context, { params }) {
    const { db, platformId, caller } = context;
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    return { body: await paymentDetailsOf(context, invoice) };
  },
});
