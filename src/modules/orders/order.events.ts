import type { Currency } from '#kernel/currency';
import type { EventType } from '#kernel/event';
import type { Transition } from '#kernel/lifecycle';
import type { NewEvent } from '#modules/webhooks';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import type { OrderRow } from './order.queries.ts';

/** What receivers are told of a move that has an event: the order as it is after it. */
export function orderEvent(
  order: Omit<OrderRow, 'buyer_legal_name'>,
  transition: Transition<OrderStatus, OrderTrigger>,
): NewEvent {
  return {
    platformId: order.platform_id,
    type: transition.event as EventType,
    occurredAt: order.updated_at,
    data: {
      external_id: order.external_id,
      buyer_external_id: order.buyer_external_id,
      merchant_external_id: order.merchant_external_id,
      sequence: order.version,
      status: order.status,
      previous_status: transition.from,
      amount: {
        net: order.amount_net,
        tax: order.amount_tax,
        gross: order.amount_gross,
        currency: order.currency as Currency,
      },
      ...(order.cancellation_reason !== null && { cancellation_reason: order.cancellation_reason }),
    },
  };
}
