/**
 * Placing orders on credit. The reservation, the order with its transition, and the event are one transaction. Orders that arrive at
 * the same time share a transaction: five statements for all of them, each order with its own outcome.
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
  /** The standing that allowed the order. */
  standing: Standing;
  /** Further work for the order, in the same transaction. */
  also?: (transaction: Db) => Promise<void>;
}

async function placeOrders(db: Db, placements: Placement[]): Promise<(Problem | null)[]> {
  if (db.isTransaction) return writePlacements(db, placements);
  return inTransaction(db, (transaction) => writePlacements(transaction, placements));
}

/**
 * Places an order. Returns the problem that refused it, or null. Throws EXTERNAL_ID_ALREADY_EXISTS. Two orders of one buyer or
 * external_id never share a transaction: the second would wait for the first's locks or be mistaken for it.
 */
export const placeOrder = gathered(placeOrders, {
  groupOf: ({ order }) => order.platform_id,
  keysOf: ({ order }) => [`buyers/${order.buyer_external_id}`, `orders/${order.external_id}`],
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
 * The refused orders whose external_id is now taken. If an order is sent twice at the same time, the second must not be refused for the
 * credit that the first reserved.
 */
async function findTaken(transaction: Db, refused: Placement[]): Promise<Set<Placement>> {
  if (refused.length === 0) return new Set();
  const keys = refused.map(({ order }) => ({ platformId: order.platform_id, externalId: order.external_id }));
  const isTaken = await existOrders(transaction, keys);
  return new Set(refused.filter((_, index) => isTaken[index]));
}

export function alreadyExists(): Problem {
  return refusal('EXTERNAL_ID_ALREADY_EXISTS', 'An order with this external_id already exists');
}

async function write(transaction: Db, placements: Placement[]): Promise<void> {
  if (placements.length === 0) return;
  const written = await insertOrders(
    transaction,
    placements.map(({ order }) => order),
  );
  // Rolls back the reservations too. Orders that shared the transaction are then placed one by one.
  if (written.includes(false)) throw alreadyExists();
  for (const { also } of placements) await also?.(transaction);
  await recordEvents(
    transaction,
    placements.map(({ order, transition }) => orderEvent(firstVersion(order), transition, order.decision_id)),
  );
}

function firstVersion({ trigger: _, actor: __, ...order }: NewOrder): OrderRow {
  return { ...order, version: 1 };
}
