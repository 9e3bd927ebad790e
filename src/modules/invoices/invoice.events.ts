import { type Static, Type } from 'typebox';
import { Amount } from '#kernel/amount';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, minorUnits, nullable, unixSeconds } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { InvoiceStatus } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';
import { InvoiceStatusSchema } from './invoice.schemas.ts';

const InvoiceEventData = Type.Object(
  {
    external_id: externalId('The invoice'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: { ...InvoiceStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...InvoiceStatusSchema,
      description: 'The status before the event; null if the invoice is new',
    }),
    due_at: unixSeconds('When the next unpaid instalment is due'),
    amount: Amount,
    paid_amount: minorUnits('The part of the amount and the fee that payments settled'),
    credited_amount: minorUnits('The part of the amount that was credited'),
    outstanding_amount: minorUnits('The part of the amount and the fee that is still owed'),
  },
  { title: 'InvoiceEventData' },
);
type InvoiceEventData = Static<typeof InvoiceEventData>;

const example = (
  status: InvoiceStatus,
  previousStatus: InvoiceStatus | null,
  sequence: number,
  amounts: Partial<InvoiceEventData> = {},
): InvoiceEventData => ({
  external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  status,
  previous_status: previousStatus,
  due_at: 1_767_225_600,
  amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
  paid_amount: 0,
  credited_amount: 0,
  outstanding_amount: 11_900,
  ...amounts,
});

const PAID = { paid_amount: 11_900, outstanding_amount: 0 };

export const invoiceEvents = defineEvents(InvoiceEventData, {
  'INVOICE.CANCELLED': {
    when: 'an invoice was refunded, or credited in full',
    example: example('CANCELLED', 'OPEN', 2, { outstanding_amount: 0 }),
  },
  'INVOICE.CLOSED': {
    when: 'everything that an invoice claims is paid',
    example: example('CLOSED', 'OPEN', 2, PAID),
  },
  'INVOICE.CREATED': { when: 'an invoice was created', example: example('OPEN', null, 1) },
  'INVOICE.DUE': {
    when: 'the due day of an invoice, or of one of its instalments, ended and it was not paid',
    example: example('DUE', 'OPEN', 2),
  },
  'INVOICE.REOPENED': {
    when: 'a payment was reversed, so that a paid invoice is owed again',
    example: example('OPEN', 'CLOSED', 3),
  },
  'INVOICE.UPDATED': {
    when: 'an invoice was replaced, or its arrears were paid',
    example: example('OPEN', 'OPEN', 2),
  },
});
export type InvoiceEvent = EventOf<typeof invoiceEvents>;

/** The columns that an event shows. */
export type InvoiceEventColumns = Pick<
  InvoiceColumns,
  | 'platform_id'
  | 'external_id'
  | 'buyer_external_id'
  | 'merchant_external_id'
  | 'version'
  | 'status'
  | 'updated_at'
  | 'due_at'
  | 'currency'
  | 'amount_net'
  | 'amount_tax'
  | 'amount_gross'
  | 'paid_amount'
  | 'credited_amount'
  | 'outstanding_amount'
>;

/** An event of the invoice. `invoice` is the invoice after the change. */
export function invoiceEvent(
  type: InvoiceEvent['type'],
  invoice: InvoiceEventColumns,
  previousStatus: InvoiceStatus | null,
): NewEvent<InvoiceEvent> {
  const { amount_net: net, amount_tax: tax, amount_gross: gross, currency } = invoice;
  return {
    platformId: invoice.platform_id,
    type,
    occurredAt: invoice.updated_at,
    data: {
      external_id: invoice.external_id,
      buyer_external_id: invoice.buyer_external_id,
      merchant_external_id: invoice.merchant_external_id,
      sequence: invoice.version,
      status: invoice.status,
      previous_status: previousStatus,
      due_at: invoice.due_at,
      amount: { net, tax, gross, currency },
      paid_amount: invoice.paid_amount,
      credited_amount: invoice.credited_amount,
      outstanding_amount: invoice.outstanding_amount,
    },
  };
}
