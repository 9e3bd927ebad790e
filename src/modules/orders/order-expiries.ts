import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import type { ChangeContext } from '#operation/operation';
import type { OrderRow } from './order.queries.ts';
import { findNextOrderExpiry, findPlatformsWithExpiredOrders } from './order-transitions.queries.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
} from './transition-order.ts';

const REVIEW_ENDS = 'The order has expired.';

/** Ends an order as if its time limit were over now. Throws INVALID_STATUS_TRANSITION where it has none. */
export async function expireOrder(context: ChangeContext, externalId: string): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId, REVIEW_ENDS);
  orderTransitionOf(order, 'expire');
  if (order.expires_at === null)
    throw guardRefusal(order, 'expire', 'An order of which something is invoiced does not expire');
  return releaseAndTransitionOrder(context, order, 'expire', {});
}

/** Orders that nobody confirmed, or invoiced, in time: they end at the instant at which their limit was over. */
export const orderExpiries: DueSource<unknown, 'order'> = {
  findPlatforms: findPlatformsWithExpiredOrders,
  findNext: findNextOrderExpiry,
  make: (db, platformId, due) =>
    inTransaction(db, (transaction) => expireIfDue(transaction, platformId, due)),
};

async function expireIfDue(
  db: ChangeContext['db'],
  platformId: number,
  { externalId, dueAt }: Due,
): Promise<void> {
  const context = { db, platformId, actor: 'service', now: dueAt };
  const order = await lockOrderAndFacility(context, externalId, REVIEW_ENDS);
  // Since it was found it may have been decided, invoiced or cancelled.
  if (order.expires_at !== null && order.expires_at <= dueAt)
    await releaseAndTransitionOrder(context, order, 'expire', {});
}
