import { type Static, Type } from 'typebox';
import { Amount } from '#kernel/amount';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId, nullable, PaymentTermSchema } from '#kernel/fields';
import type { Transition } from '#kernel/lifecycle';
import type { PaymentTerm } from '#kernel/payment-term';
import { DecisionIdSchema, EXAMPLE_DECISION_ID } from '#modules/underwriting';
import type { NewEvent } from '#modules/webhooks';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import type { OrderRow } from './order.queries.ts';
import {
  type CancellationReason,
  CancellationReasonSchema,
  OrderStatusSchema,
  PaymentDueSchema,
} from './order.schemas.ts';
import { paymentDueOf } from './payment-due.rules.ts';

const OrderEventData = Type.Object(
  {
    external_id: externalId('The order'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: { ...OrderStatusSchema, description: 'The status after the event' },
    previous_status: nullable({
      ...OrderStatusSchema,
      description: 'The status before the event; null if the order is new',
    }),
    payment_term: Type.Optional({ ...PaymentTermSchema, description: 'Present once the term is chosen' }),
    amount: Amount,
    cancellation_reason: Type.Optional({
      ...CancellationReasonSchema,
      description: 'Who cancelled the order; present if it is CANCELLED',
    }),
    payment_due: Type.Optional({
      ...PaymentDueSchema,
      description:
        'The prepayment that the order waits for; do not deliver before it is paid. Present if there is one',
    }),
    decision_id: Type.Optional({
      ...DecisionIdSchema,
      description:
        'The credit decision that caused the event: GET /v1/decisions/{decision_id}; present if there is one',
    }),
  },
  { title: 'OrderEventData' },
);
type OrderEventData = Static<typeof OrderEventData>;

const example = (
  status: OrderStatus,
  previousStatus: OrderStatus | null,
  sequence: number,
): OrderEventData => ({
  external_id: 'order-1010',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  status,
  previous_status: previousStatus,
  payment_term: 'DEFER_30D',
  amount: { net: 10_000, tax: 1_900, gross: 11_900, currency: 'EUR' },
});

export const orderEvents = defineEvents(OrderEventData, {
  'ORDER.CANCELLED': {
    when: 'an order was cancelled, declined, or closed with nothing invoiced',
    example: { ...example('CANCELLED', 'CONFIRMED', 2), cancellation_reason: 'MERCHANT' },
  },
  'ORDER.CLOSED': {
    when: 'everything of an order is invoiced and settled',
    example: example('CLOSED', 'DISBURSED', 5),
  },
  'ORDER.CONFIRMED': {
    when: 'an order was confirmed: deliver, unless it waits for a payment (`payment_due`)',
    example: example('CONFIRMED', null, 1),
  },
  'ORDER.DISBURSED': {
    when: 'the first payout of an order went to its merchant',
    example: example('DISBURSED', 'CONFIRMED', 3),
  },
  'ORDER.EXPIRED': {
    when: 'the time limit of an order passed before it was confirmed, or before anything was invoiced',
    example: example('EXPIRED', 'CONFIRMED', 2),
  },
  'ORDER.PENDING_CONFIRMATION': {
    when: 'an order waits for a decision',
    example: {
      ...example('PENDING_CONFIRMATION', 'DRAFT', 2),
      decision_id: EXAMPLE_DECISION_ID,
    },
  },
});
export type OrderEvent = EventOf<typeof orderEvents>;

/**
 * The event of a transition that has one, with the order after the transition.
 * @param decisionId The decision that caused the transition; null if there was none.
 */
export function orderEvent(
  order: Omit<OrderRow, 'buyer_legal_name'>,
  transition: Transition<OrderStatus, OrderTrigger>,
  decisionId: string | null,
): NewEvent<OrderEvent> {
  const paymentDue = paymentDueOf(order);
  return {
    platformId: order.platform_id,
    type: transition.event as OrderEvent['type'],
    occurredAt: order.updated_at,
    data: {
      external_id: order.external_id,
      buyer_external_id: order.buyer_external_id,
      merchant_external_id: order.merchant_external_id,
      sequence: order.version,
      status: order.status,
      previous_status: transition.from,
      ...(order.payment_term !== null && { payment_term: order.payment_term as PaymentTerm }),
      amount: {
        net: order.amount_net,
        tax: order.amount_tax,
        gross: order.amount_gross,
        currency: order.currency,
      },
      ...(order.cancellation_reason !== null && {
        cancellation_reason: order.cancellation_reason as CancellationReason,
      }),
      ...(paymentDue !== null && { payment_due: paymentDue }),
      ...(decisionId !== null && { decision_id: decisionId }),
    },
  };
}
