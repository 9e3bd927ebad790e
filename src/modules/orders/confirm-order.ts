/** What becomes of an order that waits for a decision. */

import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { creditRefusal, findStanding, type Standing } from '#modules/facilities';
import type { ChangeContext } from '#operation/operation';
import type { OrderRow } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { reserve } from './order-credit.ts';
import {
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
  transitionOrder,
} from './transition-order.ts';

/**
 * Confirms an order that waits. The guard is checked again, its own reservation counted once: a refusal is thrown before
 * anything is written (NO_ACTIVE_FACILITY, FACILITY_…, BUYER_OVERDUE), so that the caller may go on in its transaction.
 */
export async function confirmOrder(
  context: ChangeContext,
  externalId: string,
  reason: string | null = null,
): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  orderTransitionOf(order, 'confirm');
  const { db, platformId, now } = context;
  const standing = await findStanding(db, {
    platformId,
    buyerExternalId: order.buyer_external_id,
    at: now,
  });
  const reserved = await reserveRest(context, order, standing);
  const changes = {
    reserved_amount: reserved,
    expires_at: timeLimitOf('CONFIRMED', standing.limitPolicy, now),
  };
  return transitionOrder(context, order, 'confirm', changes, reason);
}

/** Cancels an order that waits, because the decision went against it. */
export async function declineOrder(
  context: ChangeContext,
  externalId: string,
  reason: string | null = null,
): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  return releaseAndTransitionOrder(context, order, 'decline', { cancellation_reason: 'RISK' }, reason);
}

/** Checks the guard, the order's own reservation left aside, and reserves what of the order is not reserved yet. Answers what is reserved then. */
async function reserveRest(context: ChangeContext, order: OrderRow, standing: Standing): Promise<number> {
  if (!isOnCredit(order.payment_term as PaymentTerm)) return 0;
  const problem = creditRefusal(
    withoutReservation(standing, order.reserved_amount),
    purchaseOf(order),
    context.now,
  );
  if (problem) throw problem;
  const missing = standing.limitPolicy.counts === 'ORDERS' ? order.amount_gross - order.reserved_amount : 0;
  await reserve(context, order, missing, standing);
  return order.reserved_amount + missing;
}

/** As if the order had not reserved anything yet. */
function withoutReservation(standing: Standing, reservedMinor: number): Standing {
  const { facility } = standing;
  if (!facility) return standing;
  const pending = facility.pending_orders_amount - reservedMinor;
  const available = Math.max(0, facility.total_amount - facility.used_amount - pending);
  return {
    ...standing,
    facility: { ...facility, pending_orders_amount: pending, available_amount: available },
  };
}
