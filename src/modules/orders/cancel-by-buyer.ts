import type { ChangeContext } from '#operation/operation';
import type { OrderRow } from './order.queries.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
} from './transition-order.ts';

/**
 * Cancels an order that is not confirmed yet, because its buyer does not want it. Throws INVALID_STATUS_TRANSITION once it
 * is confirmed: the merchant has been told by then, and is who cancels it.
 */
export async function cancelByBuyer(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId, 'The buyer cancelled the order.');
  orderTransitionOf(order, 'cancel');
  if (order.status === 'CONFIRMED')
    throw guardRefusal(order, 'cancel', 'A confirmed order is not cancelled by its buyer');
  return releaseAndTransitionOrder(context, order, 'cancel', { cancellation_reason: 'BUYER' });
}
