import { type Static, Type } from 'typebox';
import { Address, AddressInput } from '#kernel/address';
import { Amount, AmountInput } from '#kernel/amount';
import {
  amountInput,
  CurrencySchema,
  CustomDataSchema,
  closed,
  EmailSchema,
  externalId,
  line,
  looseText,
  MINOR_UNITS_MAX,
  minorUnits,
  named,
  nullable,
  oneOf,
  optional,
  PaymentMethodSchema,
  PaymentTermSchema,
  unixSeconds,
} from '#kernel/fields';
import { Buyer } from '#modules/buyers';
import { termConditions } from '#modules/facilities';
import { DecisionIdSchema } from '#modules/underwriting';
import { historyEntry } from '#operation/history';
import { orderLifecycle } from './order.lifecycle.ts';

export const LineItemInput = closed(
  {
    name: line(255),
    category: line(100),
    price: amountInput(-MINOR_UNITS_MAX, 'The unit price in minor units; a discount is negative'),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    description: optional(looseText(2000)),
    currency: optional({ ...CurrencySchema, description: "Must be the order's currency, if sent" }),
  },
  'LineItemInput',
);
export type LineItemInput = Static<typeof LineItemInput>;

export const LineItem = closed(
  {
    name: Type.String(),
    category: Type.String(),
    price: Type.Integer(),
    currency: CurrencySchema,
    quantity: Type.Integer(),
    description: nullable(Type.String()),
  },
  'LineItem',
);
export type LineItem = Static<typeof LineItem>;

export const CANCELLATION_REASONS = ['MERCHANT', 'BUYER', 'RISK', 'PLATFORM'] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];
export const CancellationReasonSchema = named('CancellationReason', oneOf(CANCELLATION_REASONS));
const CancellationReasonInput = named(
  'CancellationReasonInput',
  oneOf(CANCELLATION_REASONS.filter((reason) => reason !== 'RISK')),
);
export const OrderStatusSchema = named('OrderStatus', oneOf(orderLifecycle.states));

/** The usual maximum length of the reference on an e-invoice. */
export const PURCHASE_ORDER_LENGTH_MAX = 70;

const creatable = {
  external_id: externalId('Chosen by the platform'),
  buyer_external_id: externalId('The buyer'),
  merchant_external_id: Type.Optional(
    externalId('The merchant. Required unless the platform has a single merchant'),
  ),
  amount: AmountInput,
  comment: optional(looseText(1000, 'Shown below the order summary in communication with the buyer')),
  custom_data: optional(CustomDataSchema),
  line_items: Type.Optional(
    Type.Array(LineItemInput, {
      maxItems: 500,
      description: 'The items need not sum to the amount (shipping, rounding)',
    }),
  ),
  contact_email: optional(EmailSchema),
  purchase_order_number: optional(line(PURCHASE_ORDER_LENGTH_MAX, "The buyer's own number of the purchase")),
  invoice_email: optional({ ...EmailSchema, description: 'Where the buyer wants to receive the invoice' }),
  // On the invoice. Default: the buyer's business address.
  billing_address: optional(AddressInput),
};

export const DraftOrderCreation = closed(
  {
    ...creatable,
    vouched_by: optional(
      externalId(
        'The platform states, on its own responsibility, that it knows this buyer: the id of the team or system that vouches, not the ' +
          'name of a person. The checkout then requires no confirmed e-mail address',
      ),
    ),
  },
  'DraftOrderCreation',
);
export type DraftOrderCreation = Static<typeof DraftOrderCreation>;

export const OrderCreation = closed(
  {
    ...creatable,
    payment_method: PaymentMethodSchema,
    payment_term: {
      ...PaymentTermSchema,
      description: 'An offered term: see the payment terms of the buyer',
    },
    ordered_at: optional(unixSeconds('The term counts from here; not in the future. Default: now')),
    delivery_address: optional(AddressInput),
  },
  'OrderCreation',
);
export type OrderCreation = Static<typeof OrderCreation>;

export const OrderCancellation = closed(
  {
    reason: optional({ ...CancellationReasonInput, description: 'Who cancels. Default: MERCHANT' }),
    comment: optional(looseText(1000, "The reason, for the order's history")),
  },
  'OrderCancellation',
);

export const OrderParams = closed({ external_id: externalId('The order') });

export const OrderExpansion = named('OrderExpansion', oneOf(['buyer']));

export const PaymentDueSchema = named(
  'PaymentDue',
  closed({
    amount: minorUnits('The amount to pay'),
    currency: CurrencySchema,
    due_at: nullable(unixSeconds('The order expires unless the payment is recorded by then')),
    reference: Type.String({ description: "What the buyer writes on the transfer: the order's external_id" }),
  }),
);

const { legal_name, contacts: _, ...restOfBuyer } = Buyer.properties;

export const Order = closed(
  {
    external_id: externalId('Unique order identifier'),
    status: OrderStatusSchema,
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    created_at: unixSeconds('When the order was created'),
    updated_at: unixSeconds('When it last changed'),
    ordered_at: unixSeconds('Order creation date'),
    payment_method: nullable({ ...PaymentMethodSchema, description: 'Null until chosen' }),
    payment_term: nullable({ ...PaymentTermSchema, description: 'Null until chosen' }),
    term: nullable({
      ...closed(termConditions, 'OrderTerm'),
      description: 'The agreed fee and instalments of the payment term. Null until chosen',
    }),
    amount: Amount,
    buyer: Type.Object(
      { legal_name, ...Type.Partial(Type.Object(restOfBuyer)).properties },
      {
        additionalProperties: false,
        title: 'OrderBuyer',
        description: 'The legal name, or the complete buyer with expand=buyer',
      },
    ),
    comment: nullable(Type.String()),
    delivery_address: nullable(Address),
    custom_data: nullable(CustomDataSchema),
    line_items: Type.Array(LineItem),
    contact_email: nullable(
      Type.String({ description: "Used for this order instead of the buyer's main e-mail address" }),
    ),
    purchase_order_number: nullable(Type.String({ description: "The buyer's own number of the purchase" })),
    invoice_email: nullable(Type.String({ description: 'Where the buyer wants to receive the invoice' })),
    billing_address: nullable(Address),
    cancellation_reason: nullable({
      ...CancellationReasonSchema,
      description: 'Who cancelled the order; null unless CANCELLED',
    }),
    is_closed_short: Type.Boolean({
      description: 'No further invoice will come, and nothing more is reserved',
    }),
    vouched_by: nullable(
      externalId('The team or system of the platform that vouches for the buyer; null if none does'),
    ),
    vouched_at: nullable(unixSeconds('When the platform began to vouch for the buyer; null if it does not')),
    invoiced_amount: minorUnits('The part of the gross amount that live invoices have taken'),
    reserved_amount: minorUnits("The credit that the order reserves in the buyer's facility"),
    paid_at: nullable(unixSeconds('When the platform recorded the prepayment')),
    payment_due: nullable({
      ...PaymentDueSchema,
      description:
        'The prepayment that a CONFIRMED order waits for: do not deliver until this is null. See POST ' +
        '/v1/orders/{external_id}/paid',
    }),
    expires_at: nullable(
      unixSeconds(
        'When the order expires unless it is confirmed, invoiced or prepaid by then; null without a time limit',
      ),
    ),
    decision_id: nullable({
      ...DecisionIdSchema,
      description:
        'The credit decision that the order waits for, or that confirmed or cancelled it: GET /v1/decisions/{decision_id}; ' +
        'null if it needed none',
    }),
  },
  'Order',
);
export type Order = Static<typeof Order>;

export const OrderHistoryEntry = historyEntry(OrderStatusSchema, 'OrderHistoryEntry');
export type OrderHistoryEntry = Static<typeof OrderHistoryEntry>;
