/**
 * Placing orders on credit: the reservation, the order with its move, and the event are one transaction. Orders that
 * arrive together share it: five statements for all of them, each still with its own outcome.
 */
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { inTransaction } from '#infra/database/transaction';
import type { Transition } from '#kernel/lifecycle';
import { type Problem, refusal } from '#kernel/problem';
import { postEntries, type Standing } from '#modules/facilities';
import { recordEvents } from '#modules/webhooks';
import { orderEvent } from './order.events.ts';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import { existOrders, insertOrders, type NewOrder, type OrderRow } from './order.queries.ts';
import { reservationOf, reservationRefusal } from './order-credit.ts';

export interface Placement {
  order: NewOrder;
  transition: Transition<OrderStatus, OrderTrigger>;
  /** By which the buyer was found good a moment ago. */
  standing: Standing;
  /** What else the order needs, in the same transaction. */
  also?: (transaction: Db) => Promise<void>;
}

async function placeOrders(db: Db, placements: Placement[]): Promise<(Problem | null)[]> {
  if (db.isTransaction) return writePlacements(db, placements);
  return inTransaction(db, (transaction) => writePlacements(transaction, placements));
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

async function writePlacements(transaction: Db, placements: Placement[]): Promise<(Problem | null)[]> {
  const reserving = placements.filter(({ order }) => order.reserved_amount > 0);
  const posted = await postEntries(
    transaction,
    reserving.map(({ order, standing }) =>
      reservationOf(order, order.reserved_amount, standing, { actor: order.actor, now: order.created_at }),
    ),
  );
  const refused = new Map<Placement, Problem>();
  reserving.forEach((placement, index) => {
    const { order, standing } = placement;
    const requested = { amountMinor: order.reserved_amount, currency: order.currency };
    const problem = reservationRefusal(posted[index], requested, standing, order.created_at);
    if (problem) refused.set(placement, problem);
  });
  await write(
    transaction,
    placements.filter((placement) => !refused.has(placement)),
  );
  const taken = await findTaken(transaction, [...refused.keys()]);
  return placements.map((placement) =>
    taken.has(placement) ? alreadyExists() : (refused.get(placement) ?? null),
  );
}

/**
 * Of the refused ones those whose external_id was taken meanwhile: whoever sends an order twice at once should not be
 * told that the first one left too little for the second.
 */
async function findTaken(transaction: Db, refused: Placement[]): Promise<Set<Placement>> {
  if (refused.length === 0) return new Set();
  const keys = refused.map(({ order }) => ({ platformId: order.platform_id, externalId: order.external_id }));
  const isTaken = await existOrders(transaction, keys);
  return new Set(refused.filter((_, index) => isTaken[index]));
}

export function alreadyExists(): Problem {
  return refusal('EXTERNAL_ID_ALREADY_EXISTS', 'There is an order with this external_id already');
}

async function write(transaction: Db, placements: Placement[]): Promise<void> {
  if (placements.length === 0) return;
  const written = await insertOrders(
    transaction,
    placements.map(({ order }) => order),
  );
  // Undoes the reservations as well. With others in the transaction each is then placed by itself.
  if (written.includes(false)) throw alreadyExists();
  for (const { also } of placements) await also?.(transaction);
  await recordEvents(
    transaction,
    placements.map(({ order, transition }) => orderEvent(firstVersion(order), transition)),
  );
}

function firstVersion({ trigger: _, actor: __, ...order }: NewOrder): OrderRow {
  return { ...order, version: 1 };
}
