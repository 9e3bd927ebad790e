/** Confirms or declines an order that waits for a decision. */
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
 * Confirms a waiting order. Checks the guard again, without the order's own reservation. A refusal (NO_ACTIVE_FACILITY, FACILITY_…,
 * BUYER_OVERDUE) is thrown before anything is written, so the caller's transaction can continue.
 */
export async function confirmOrder(
  context: ChangeContext,
  externalId: string,
  reason: string | null = null,
  decisionId: string | null = null,
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
    ...causedBy(decisionId),
  };
  return transitionOrder(context, order, 'confirm', changes, reason);
}

/** Cancels a waiting order that was rejected. */
export async function declineOrder(
  context: ChangeContext,
  externalId: string,
  reason: string | null = null,
  decisionId: string | null = null,
): Promise<OrderRow> {
  const order = await lockOrderAndFacility(context, externalId);
  const changes = { cancellation_reason: 'RISK', ...causedBy(decisionId) };
  return releaseAndTransitionOrder(context, order, 'decline', changes, reason);
}

const causedBy = (decisionId: string | null) => (decisionId === null ? {} : { decision_id: decisionId });

/** Checks the guard, reserves the rest of the order, and returns the reserved total in minor units. */
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

/** The standing without the order's own reservation. */
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
