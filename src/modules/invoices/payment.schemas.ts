import { type Static, Type } from 'typebox';
import {
  CurrencySchema,
  closed,
  externalId,
  line,
  minorUnits,
  named,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { LateChargeAllocation } from './late-charges/late-charge.schemas.ts';

/** The party whose bank account or cash register received the money. */
const PAYMENT_RECEIVERS = ['PLATFORM', 'MERCHANT'] as const;
export type PaymentReceiver = (typeof PAYMENT_RECEIVERS)[number];
export const PaymentReceiverSchema = named('PaymentReceiver', oneOf(PAYMENT_RECEIVERS));

/** The maximum of every amount: an exact number with room for sums. */
const AMOUNT_MAX = 999_999_999_999_999;

const PAYMENT_FIELDS = {
  paid_at: optional(unixSeconds('When the money arrived; not in the future. Default: now')),
  received_by: optional({
    ...PaymentReceiverSchema,
    default: 'MERCHANT',
    description:
      'Who received the money: the merchant, or the platform on its own bank account. Default: MERCHANT',
  }),
  reference: optional(line(140, 'What the buyer wrote on the transfer')),
  external_id: Type.Optional(externalId('Chosen by the platform. Default: a UUID')),
};

export const PaymentCreation = closed(
  {
    amount: Type.Integer({
      minimum: 1,
      maximum: AMOUNT_MAX,
      description: "The amount that the buyer paid, in minor units of the invoice's currency",
    }),
    ...PAYMENT_FIELDS,
  },
  'PaymentCreation',
);
export type PaymentCreation = Static<typeof PaymentCreation>;

export const FullPayment = closed(PAYMENT_FIELDS, 'FullPayment');
export type FullPayment = Static<typeof FullPayment>;

export const PaymentReversal = closed(
  { reason: line(255, 'The reason of the reversal, such as a returned direct debit') },
  'PaymentReversal',
);

export const PaymentParams = closed({
  external_id: externalId('The invoice on which the payment was recorded'),
  payment_external_id: externalId('The payment'),
});

const PaymentAllocation = closed(
  {
    invoice_external_id: externalId('The invoice'),
    installment: Type.Integer({ description: 'The number of the instalment' }),
    amount: minorUnits('The part of the payment that settles the instalment'),
    term_fee: minorUnits('The part of the amount that settles the fee'),
  },
  'PaymentAllocation',
);

export const InvoicePayment = closed(
  {
    external_id: externalId('Unique payment identifier'),
    invoice_external_id: externalId('The invoice on which the payment was recorded'),
    order_external_id: nullable(
      externalId('The order that the buyer paid in advance; null for a payment of an invoice'),
    ),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    created_at: unixSeconds('When it was recorded'),
    updated_at: unixSeconds('When it last changed'),
    paid_at: unixSeconds('When the money arrived'),
    received_by: PaymentReceiverSchema,
    amount: minorUnits('The amount that the buyer paid'),
    currency: CurrencySchema,
    allocated_amount: minorUnits('The part of the payment that settles invoices and their late charges now'),
    unapplied_amount: minorUnits(
      "The buyer's money at the platform that settles no invoice; 0 if the merchant received it, or after a reversal",
    ),
    reference: nullable(Type.String()),
    allocations: Type.Array(PaymentAllocation),
    late_charge_allocations: Type.Array(LateChargeAllocation),
    reversed_at: nullable(unixSeconds('When it was reversed')),
    reversal_reason: nullable(Type.String()),
  },
  'InvoicePayment',
);
export type InvoicePayment = Static<typeof InvoicePayment>;
