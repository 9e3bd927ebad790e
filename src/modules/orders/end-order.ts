/** Ends an order without an invoice that settles it: its buyer cancels it, its time limit passes, or it is closed short. */
import { inTransaction } from '#infra/database/transaction';
import { type Due, type DueSource, oneByOne } from '#infra/time/due-transitions';
import type { ChangeContext } from '#operation/operation';
import type { OrderRow } from './order.queries.ts';
import { expiringOrders } from './order-transitions.queries.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
} from './transition-order.ts';

/**
 * Cancels an order for its buyer, before it is confirmed. Throws INVALID_STATUS_TRANSITION for a confirmed order, which only the
 * merchant can cancel.
 */
export async function cancelByBuyer(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId, 'The buyer cancelled the order.');
  orderTransitionOf(order, 'cancel');
  if (order.status === 'CONFIRMED')
    throw guardRefusal(order, 'cancel', 'The buyer cannot cancel a confirmed order');
  return releaseAndTransitionOrder(context, order, 'cancel', { cancellation_reason: 'BUYER' });
}

/**
 * Closes a locked order short: nothing more will be invoiced. An order without invoices becomes CANCELLED, even if it was closed short
 * before. If its invoices have ended, the caller settles the order. Throws INVALID_STATUS_TRANSITION.
 */
export async function closeShort(context: ChangeContext, order: OrderRow): Promise<OrderRow> {
  const hasInvoice = order.invoiced_amount > 0;
  const trigger = hasInvoice ? 'close_short' : 'close';
  orderTransitionOf(order, trigger);
  if (hasInvoice && order.is_closed_short)
    throw guardRefusal(order, trigger, 'The order is already closed short');
  return releaseAndTransitionOrder(
    context,
    order,
    trigger,
    hasInvoice ? { is_closed_short: true } : { cancellation_reason: 'MERCHANT' },
  );
}

const REVIEW_ENDS = 'The order has expired.';

/** Expires an order now. Throws INVALID_STATUS_TRANSITION if it has no time limit. */
export async function expireOrder(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId, REVIEW_ENDS);
  orderTransitionOf(order, 'expire');
  if (order.expires_at === null)
    throw guardRefusal(order, 'expire', 'An order with an invoice does not expire');
  return releaseAndTransitionOrder(context, order, 'expire', {});
}

/** Expires orders that were not confirmed or invoiced in time, at the instant of their time limit. */
export const orderExpiries: DueSource<unknown, 'order'> = {
  ...expiringOrders,
  ...oneByOne((db, platformId, due) =>
    inTransaction(db, (transaction) => expireIfDue(transaction, platformId, due)),
  ),
};

async function expireIfDue(
  db: ChangeContext['db'],
  platformId: number,
  { externalId, dueAt }: Due,
): Promise<void> {
  const context = { db, platformId, actor: 'service', now: dueAt };
  const order = await lockOrderAndFacility(context, externalId, REVIEW_ENDS);
  // It may have been decided, invoiced or cancelled since it was found.
  if (order.expires_at !== null && order.expires_at <= dueAt)
    await releaseAndTransitionOrder(context, order, 'expire', {});
}
