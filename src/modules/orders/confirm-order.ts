/** What becomes of an order that waits for a decision. */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { creditRefusal, findStanding, type Standing } from '#modules/facilities';
import { freeAndMoveOrder, holdOrder, moveOrder, orderMoveOf } from './move-order.ts';
import type { OrderRow } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { type Mover, reserve } from './order-credit.ts';

/**
 * Confirms an order that waits. The guard is checked again, its own reservation counted once: a refusal is thrown before
 * anything is written (NO_ACTIVE_FACILITY, FACILITY_…, BUYER_OVERDUE), so that the caller may go on in its transaction.
 */
export async function confirmOrder(
  mover: Mover,
  externalId: string,
  reason: string | null = null,
): Promise<OrderRow> {
  const order = await holdOrder(mover, externalId);
  orderMoveOf(order, 'confirm');
  const { db, platformId, now } = mover;
  const standing = await findStanding(db, {
    platformId,
    buyerExternalId: order.buyer_external_id,
    at: now,
  });
  const reserved = await reserveRest(mover, order, standing);
  const changes = {
    reserved_amount: reserved,
    expires_at: timeLimitOf('CONFIRMED', standing.limitPolicy, now),
  };
  return moveOrder(mover, order, 'confirm', changes, reason);
}

/** Cancels an order that waits, because the decision went against it. */
export async function declineOrder(
  mover: Mover,
  externalId: string,
  reason: string | null = null,
): Promise<OrderRow> {
  const order = await holdOrder(mover, externalId);
  return freeAndMoveOrder(mover, order, 'decline', { cancellation_reason: 'RISK' }, reason);
}

/** Checks the guard, the order's own reservation left aside, and reserves what of the order is not reserved yet. Answers what is reserved then. */
async function reserveRest(mover: Mover, order: OrderRow, standing: Standing): Promise<number> {
  if (!isOnCredit(order.payment_term as PaymentTerm)) return 0;
  const problem = creditRefusal(
    withoutReservation(standing, order.reserved_amount),
    purchaseOf(order),
    mover.now,
  );
  if (problem) throw problem;
  const missing = standing.limitPolicy.counts === 'ORDERS' ? order.amount_gross - order.reserved_amount : 0;
  await reserve(mover, order, missing, standing);
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
