import type { Due, DueSource } from '#infra/due-moves';
import { inTransaction } from '#infra/transaction';
import { freeAndMoveOrder, guardRefusal, holdOrder, orderMoveOf } from './move-order.ts';
import type { OrderRow } from './order.queries.ts';
import type { Mover } from './order-credit.ts';
import { findNextExpiry, findPlatformsWithExpiredOrders } from './order-moves.queries.ts';

const REVIEW_ENDS = 'The order has expired.';

/** Ends an order as if its time limit were over now. Throws INVALID_STATUS_TRANSITION where it has none. */
export async function expireOrder(mover: Mover, externalId: string): Promise<OrderRow> {
  const order = await holdOrder(mover, externalId, REVIEW_ENDS);
  orderMoveOf(order, 'expire');
  if (order.expires_at === null)
    throw guardRefusal(order, 'expire', 'An order of which something is invoiced does not expire');
  return freeAndMoveOrder(mover, order, 'expire', {});
}

/** Orders that nobody confirmed, or invoiced, in time: they end at the instant at which their limit was over. */
export const orderExpiries: DueSource<unknown> = {
  findPlatforms: findPlatformsWithExpiredOrders,
  findNext: findNextExpiry,
  make: (db, platformId, due) =>
    inTransaction(db, (transaction) => expireIfDue(transaction, platformId, due)),
};

async function expireIfDue(db: Mover['db'], platformId: number, { externalId, dueAt }: Due): Promise<void> {
  const mover = { db, platformId, actor: 'service', now: dueAt };
  const order = await holdOrder(mover, externalId, REVIEW_ENDS);
  // Since it was found it may have been decided, invoiced or cancelled.
  if (order.expires_at !== null && order.expires_at <= dueAt)
    await freeAndMoveOrder(mover, order, 'expire', {});
}
