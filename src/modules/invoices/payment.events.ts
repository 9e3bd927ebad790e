import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { CurrencySchema, externalId, minorUnits, nullable, unixSeconds } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { InvoiceColumns } from './invoice.queries.ts';
import { InvoiceStatusSchema } from './invoice.schemas.ts';
import type { PaymentRow } from './payment.queries.ts';
import { PaymentReceiverSchema } from './payment.schemas.ts';

const PaymentEventData = Type.Object(
  {
    external_id: externalId('The payment'),
    invoice_external_id: externalId('The invoice on which the payment was recorded'),
    order_external_id: nullable(externalId('The order that the buyer paid in advance')),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    amount: minorUnits('The amount that the buyer paid'),
    currency: CurrencySchema,
    paid_at: unixSeconds('When the money arrived'),
    received_by: PaymentReceiverSchema,
    allocated_amount: minorUnits(
      'The part of the payment that settles invoices and their late charges after the event',
    ),
    invoice_status: { ...InvoiceStatusSchema, description: 'The status of the invoice after the event' },
    outstanding_amount: minorUnits('The outstanding amount of the invoice after the event, with its fee'),
  },
  { title: 'PaymentEventData' },
);

const example: Static<typeof PaymentEventData> = {
  external_id: 'payment-2001',
  invoice_external_id: 'invoice-1011',
  order_external_id: null,
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence: 1,
  amount: 5_000,
  currency: 'EUR',
  paid_at: 1_767_225_600,
  received_by: 'PLATFORM',
  allocated_amount: 5_000,
  invoice_status: 'OPEN',
  outstanding_amount: 6_900,
};

export const paymentEvents = defineEvents(PaymentEventData, {
  'INVOICE.PAYMENT.RECORDED': { when: 'a payment on an invoice was recorded', example },
  'INVOICE.PAYMENT.REVERSED': {
    when: 'a payment was reversed, so that what it had settled is owed again',
    example: { ...example, sequence: 2, allocated_amount: 0, outstanding_amount: 11_900 },
  },
});
type PaymentEvent = EventOf<typeof paymentEvents>;

/** An event of the payment. Both the payment and its invoice are as they are after the change. */
export function paymentEvent(
  type: PaymentEvent['type'],
  payment: PaymentRow,
  invoice: Pick<InvoiceColumns, 'status' | 'outstanding_amount'>,
): NewEvent<PaymentEvent> {
  return {
    platformId: payment.platform_id,
    type,
    occurredAt: payment.updated_at,
    data: {
      external_id: payment.external_id,
      invoice_external_id: payment.invoice_external_id,
      order_external_id: payment.order_external_id,
      buyer_external_id: payment.buyer_external_id,
      merchant_external_id: payment.merchant_external_id,
      sequence: payment.version,
      amount: payment.amount,
      currency: payment.currency,
      paid_at: payment.paid_at,
      received_by: payment.received_by,
      allocated_amount: payment.allocated_amount,
      invoice_status: invoice.status,
      outstanding_amount: invoice.outstanding_amount,
    },
  };
}
