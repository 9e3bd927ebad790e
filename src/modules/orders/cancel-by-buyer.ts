import { freeAndMoveOrder, guardRefusal, holdOrder, orderMoveOf } from './move-order.ts';
import type { OrderRow } from './order.queries.ts';
import type { Mover } from './order-credit.ts';

/**
 * Cancels an order that is not confirmed yet, because its buyer does not want it. Throws INVALID_STATUS_TRANSITION once it
 * is confirmed: the merchant has been told by then, and is who cancels it.
 */
export async function cancelByBuyer(mover: Mover, externalId: string): Promise<OrderRow> {
  const order = await holdOrder(mover, externalId, 'The buyer cancelled the order.');
  orderMoveOf(order, 'cancel');
  if (order.status === 'CONFIRMED')
    throw guardRefusal(order, 'cancel', 'A confirmed order is not cancelled by its buyer');
  return freeAndMoveOrder(mover, order, 'cancel', { cancellation_reason: 'BUYER' });
}
