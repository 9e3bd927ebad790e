/** The steps that every transition of an existing order shares: locks, history, ledger entry and event. */
import { nextVersion } from '#kernel/changes';
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { withdrawReviewsOfOrders } from '#modules/underwriting';
import { recordEvents } from '#modules/webhooks';
import type { ChangeContext } from '#operation/operation';
import { orderEvent } from './order.events.ts';
import { type OrderTrigger, orderLifecycle } from './order.lifecycle.ts';
import { findOrder, type OrderRow } from './order.queries.ts';
import { releaseReservation } from './order-credit.ts';
import { lockFacilityOfOrder, lockOrder, writeOrderTransitions } from './order-transitions.queries.ts';

/**
 * Locks the buyer's facility, then the order, like every change of credit. Throws NOT_FOUND. Data read afterwards, such as the buyer's
 * standing, does not change until the transaction ends.
 * @param endsReview The reason, for a transition that withdraws the review of the order. A review is locked before the facility.
 */
export async function lockOrderAndFacility(
  context: ChangeContext,
  externalId: string,
  endsReview?: string,
): Promise<OrderRow> {
  const { db, platformId } = context;
  const key = { platformId, externalId };
  const endReview = async (reason: string, { status }: OrderRow) => {
    if (status === 'PENDING_CONFIRMATION') await withdrawReviewsOfOrders(context, [externalId], reason);
  };
  const found = endsReview === undefined ? undefined : await findOrder(db, key);
  if (endsReview !== undefined && found) await endReview(endsReview, found);
  await lockFacilityOfOrder(db, key);
  const order = await lockOrder(db, key);
  if (!order) throw notFound();
  // The buyer completed the checkout of the draft in between.
  if (endsReview !== undefined && order.status !== found?.status) await endReview(endsReview, order);
  return order;
}

/** The columns that a transition can change besides the status. */
export type OrderChanges = Partial<
  Pick<
    OrderRow,
    | 'ordered_at'
    | 'payment_method'
    | 'payment_term'
    | 'delivery_address'
    | 'contact_email_sealed'
    | 'purchase_order_number'
    | 'invoice_email_sealed'
    | 'billing_address'
    | 'paid_at'
    | 'term_offer'
    | 'cancellation_reason'
    | 'expires_at'
    | 'reserved_amount'
    | 'invoiced_amount'
    | 'is_closed_short'
    | 'decision_id'
  >
>;

/** The transition of this trigger from the order's status. Throws INVALID_STATUS_TRANSITION with the allowed triggers. */
export function orderTransitionOf(order: Pick<OrderRow, 'status'>, trigger: OrderTrigger) {
  return transitionOf(orderLifecycle, order.status, trigger);
}

/** The 409 for a transition that the status allows but a guard refuses. */
export function guardRefusal(order: OrderRow, trigger: OrderTrigger, sentence: string) {
  return refusal('INVALID_STATUS_TRANSITION', sentence, {
    status: order.status,
    trigger,
    allowed: orderLifecycle.transitions
      .filter((transition) => transition.from === order.status && transition.trigger !== trigger)
      .map((transition) => transition.trigger),
  });
}

/**
 * Writes the transition of a locked order with its history and event. Post the facility's entry before it. `decision_id` among the
 * changes is the decision that causes the transition.
 */
export async function transitionOrder(
  { db, actor, now }: ChangeContext,
  order: OrderRow,
  trigger: OrderTrigger,
  changes: OrderChanges,
  reason: string | null = null,
): Promise<OrderRow> {
  const transition = orderTransitionOf(order, trigger);
  const changed = { ...order, ...changes, ...nextVersion(order, now), status: transition.to };
  const decisionId = changes.decision_id ?? null;
  await writeOrderTransitions(db, [{ order: changed, transition, actor, reason, decisionId }]);
  if (transition.event !== null) await recordEvents(db, [orderEvent(changed, transition, decisionId)]);
  return changed;
}

/** Releases the order's reservation, then writes the transition. */
export async function releaseAndTransitionOrder(
  context: ChangeContext,
  order: OrderRow,
  trigger: OrderTrigger,
  changes: OrderChanges,
  reason: string | null = null,
): Promise<OrderRow> {
  // Refuses before anything is written, so the caller's transaction can continue.
  orderTransitionOf(order, trigger);
  await releaseReservation(context, order);
  const nothing = { reserved_amount: 0, expires_at: null };
  return transitionOrder(context, order, trigger, { ...changes, ...nothing }, reason);
}
