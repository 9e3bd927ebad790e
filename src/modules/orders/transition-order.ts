/** What every move of an order that exists has in common: its locks, its history, its ledger entry and its event. */

import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { lockFacility } from '#modules/facilities';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { orderEvent } from './order.events.ts';
import { type OrderStatus, type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import { findOrder, type OrderRow } from './order.queries.ts';
import { releaseReservation } from './order-credit.ts';
import { withdrawOrderReview } from './order-review.ts';
import { lockOrder, writeOrderTransitions } from './order-transitions.queries.ts';

/**
 * Locks the buyer's facility, then the order: the order of locks in which every change of credit goes. Throws NOT_FOUND.
 * What is read after it, such as the buyer's standing, stays as it is until the transaction ends.
 * @param endsReview For a move that ends the review of the order, why: the case is withdrawn. Whoever decides a case
 * locks it before the facility, so here it comes first as well.
 */
export async function lockOrderAndFacility(
  context: ChangeContext,
  externalId: string,
  endsReview?: string,
): Promise<OrderRow> {
  const { db, platformId } = context;
  const key = { platformId, externalId };
  // Whose order it is never changes, so that it may be read before the lock.
  const found = await findOrder(db, key);
  if (!found) throw notFound();
  const endReview = async ({ status }: OrderRow) => {
    if (endsReview !== undefined && status === 'PENDING_CONFIRMATION')
      await withdrawOrderReview(context, externalId, endsReview);
  };
  await endReview(found);
  await lockFacility(db, { platformId, buyerExternalId: found.buyer_external_id });
  const order = await lockOrder(db, key);
  if (!order) throw notFound();
  // A draft whose checkout was completed in between.
  if (order.status !== found.status) await endReview(order);
  return order;
}

/** What a move may change beside the status. */
export type OrderChanges = Partial<
  Pick<
    OrderRow,
    | 'ordered_at'
    | 'payment_method'
    | 'payment_term'
    | 'delivery_address'
    | 'contact_email_sealed'
    | 'term_offer'
    | 'cancellation_reason'
    | 'expires_at'
    | 'reserved_amount'
    | 'invoiced_amount'
    | 'is_closed_short'
  >
>;

/** The move this trigger makes from the order's status, or a 409 that lists the triggers the status does have. */
export function orderTransitionOf(order: Pick<OrderRow, 'status'>, trigger: OrderTrigger) {
  return transitionOf(orderLifecycle, order.status as OrderStatus, trigger);
}

/** A 409 for a move that the status has, but what else must hold for it does not. */
export function guardRefusal(order: OrderRow, trigger: OrderTrigger, sentence: string) {
  return refusal('INVALID_STATUS_TRANSITION', sentence, {
    status: order.status,
    trigger,
    allowed: orderLifecycle.transitions
      .filter((transition) => transition.from === order.status && transition.trigger !== trigger)
      .map((transition) => transition.trigger),
  });
}

/** Writes the move of a held order, its history and its event. The facility's entry is posted before. */
export async function transitionOrder(
  { db, actor, now }: ChangeContext,
  order: OrderRow,
  trigger: OrderTrigger,
  changes: OrderChanges,
  reason: string | null = null,
): Promise<OrderRow> {
  const transition = orderTransitionOf(order, trigger);
  const changed = { ...order, ...changes, ...nextVersion(order, now), status: transition.to };
  await writeOrderTransitions(db, [{ order: changed, transition, actor, reason }]);
  if (transition.event !== null) await recordEvents(db, [orderEvent(changed, transition)]);
  return changed;
}

/** The same where the order takes nothing more of the facility: what it reserves is given back. */
export async function releaseAndTransitionOrder(
  context: ChangeContext,
  order: OrderRow,
  trigger: OrderTrigger,
  changes: OrderChanges,
  reason: string | null = null,
): Promise<OrderRow> {
  // Before anything is written, so that whoever catches the refusal may go on.
  orderTransitionOf(order, trigger);
  await releaseReservation(context, order);
  const nothing = { reserved_amount: 0, expires_at: null };
  return transitionOrder(context, order, trigger, { ...changes, ...nothing }, reason);
}
