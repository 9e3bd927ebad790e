/**
 * Placing orders on credit: the reservation, the order with its move, and the event are one transaction. Orders that
 * arrive together share it: five statements for all of them, each still with its own outcome.
 */
import type { Db } from '#infra/database';
import { gathered } from '#infra/gather';
import { recordEvents } from '#infra/outbox.queries';
import { inTransaction } from '#infra/transaction';
import type { Move } from '#kernel/lifecycle';
import { type Problem, refusal } from '#kernel/problem';
import { creditRefusal, exceeded, type PostedEntry, postEntries, type Standing } from '#modules/facilities';
import { orderEvent } from './order.events.ts';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import { insertOrders, type NewOrder, type OrderRow } from './order.queries.ts';

export interface Placement {
  order: NewOrder;
  move: Move<OrderStatus, OrderTrigger>;
  /** By which the buyer was found good a moment ago. */
  standing: Standing;
  /** What else the order needs, in the same transaction. */
  also?: (transaction: Db) => Promise<void>;
}

/** Null where the order was placed. */
type Refused = Problem | null;

async function placeOrders(db: Db, placements: Placement[]): Promise<Refused[]> {
  if (db.isTransaction) return place(db, placements);
  return inTransaction(db, (transaction) => place(transaction, placements));
}

/**
 * Never two of one buyer or of one external_id in a transaction: the second would wait for what the first has locked, or
 * be mistaken for it. Answers why the order was refused, or null. Throws EXTERNAL_ID_ALREADY_EXISTS.
 */
export const placeOrder = gathered(placeOrders, {
  keysOf: ({ order }) => [
    `${order.platform_id}/buyers/${order.buyer_external_id}`,
    `${order.platform_id}/orders/${order.external_id}`,
  ],
});

async function place(transaction: Db, placements: Placement[]): Promise<Refused[]> {
  const reserving = placements.filter(({ order }) => order.reserved_amount > 0);
  const posted = await postEntries(
    transaction,
    reserving.map(({ order, standing }) => ({
      platformId: order.platform_id,
      buyerExternalId: order.buyer_external_id,
      cause: 'ORDER_RESERVED' as const,
      pendingOrdersChange: order.reserved_amount,
      tolerancePercent: standing.limitPolicy.tolerancePercent,
      orderExternalId: order.external_id,
      actor: order.actor,
      at: order.created_at,
    })),
  );
  const refusals = new Map(
    reserving.map((placement, index) => [placement, refusalOf(placement, posted[index])]),
  );
  const placed = placements.filter((placement) => !refusals.get(placement));
  await write(transaction, placed);
  return placements.map((placement) => refusals.get(placement) ?? null);
}

/** Meanwhile another order took what was available, or the facility was frozen or ran out. */
function refusalOf({ order, standing }: Placement, posted: PostedEntry | undefined): Refused {
  if (posted?.isPosted) return null;
  const facility = posted?.facility ?? null;
  const asked = { grossMinor: order.reserved_amount, currency: order.currency as never };
  return (
    creditRefusal({ ...standing, facility }, asked, order.created_at) ??
    exceeded(facility as PostedEntry['facility'], order.reserved_amount)
  );
}

async function write(transaction: Db, placements: Placement[]): Promise<void> {
  if (placements.length === 0) return;
  const written = await insertOrders(
    transaction,
    placements.map(({ order }) => order),
  );
  // Undoes the reservations as well. With others in the transaction each is then placed by itself.
  if (written.includes(false))
    throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'There is an order with this external_id already');
  for (const { also } of placements) await also?.(transaction);
  await recordEvents(
    transaction,
    placements.map(({ order, move }) => orderEvent(firstVersion(order), move)),
  );
}

function firstVersion({ trigger: _, actor: __, ...order }: NewOrder): OrderRow {
  return { ...order, version: 1 };
}
