/** Orders of buyers about whose facility a person still decides: they reserve nothing, and are settled by the decision. */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { notFound } from '#kernel/problem';
import {
  applyDecision,
  type FacilityDecision,
  type FacilityRow,
  findStanding,
  type Standing,
  type TermOffer,
  termOf,
} from '#modules/facilities';
import { findPlatform } from '#modules/platforms';
import { freeAndMoveOrder, moveOrder } from './move-order.ts';
import type { OrderRow } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { type Mover, reserve } from './order-credit.ts';
import { lockOrdersToConfirm } from './order-moves.queries.ts';
import { reservedFor } from './order-terms.rules.ts';

const GRANTED = "The buyer's facility was granted.";

/** Whether an order on this term waits for the first decision about the buyer's facility. */
export function isWaitedFor({ facility }: Standing, term: PaymentTerm): boolean {
  return facility?.status === 'PENDING' && isOnCredit(term);
}

/**
 * What every decision about a facility that exists goes through, whoever made it: where orders waited for it, they are
 * settled in the same transaction, which has locked the facility. Throws what `applyDecision` does; a decision is never
 * refused for what becomes of an order.
 */
export async function applyFacilityDecision(
  mover: Mover,
  facility: FacilityRow,
  decision: FacilityDecision,
  reason: string | null,
): Promise<FacilityRow> {
  const { db, actor, now } = mover;
  const decided = await applyDecision(db, facility, decision, { actor, now, reason });
  if (facility.status === 'PENDING') await settleWaitingOrders(mover, facility.buyer_external_id);
  return decided;
}

/**
 * In the order in which they were created, each with what those before it have left. A facility that was not granted
 * before cannot have an order that waits for anything else: it would have needed the facility.
 */
async function settleWaitingOrders(mover: Mover, buyerExternalId: string): Promise<void> {
  const { db, platformId, now } = mover;
  const waiting = await lockOrdersToConfirm(db, { platformId, buyerExternalId });
  if (waiting.length === 0) return;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw notFound();
  for (const order of waiting) {
    const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
    await settle(mover, order, standing, platform.max_payment_term);
  }
}

async function settle(
  mover: Mover,
  order: OrderRow,
  standing: Standing,
  maxPaymentTermDays: number,
): Promise<void> {
  const term = order.payment_term as PaymentTerm;
  const purchase = { ...purchaseOf(order), orderedAt: order.ordered_at };
  const answer = termOf(term, standing, maxPaymentTermDays, purchase, mover.now);
  if ('refuse' in answer) {
    const refused = { cancellation_reason: 'RISK' };
    await freeAndMoveOrder(mover, order, 'decline', refused, answer.refuse().message);
    return;
  }
  const reservedMinor = reservedFor(term, order.amount_gross, standing.limitPolicy);
  await reserve(mover, order, reservedMinor, standing);
  const changes = {
    reserved_amount: reservedMinor,
    term_offer: noDearer(order.term_offer as TermOffer, answer.offer),
    expires_at: timeLimitOf('CONFIRMED', standing.limitPolicy, mover.now),
  };
  await moveOrder(mover, order, 'confirm', changes, GRANTED);
}

/** What was agreed on, days and all, at the price of the class that was granted where that is lower. */
function noDearer(agreed: TermOffer, granted: TermOffer): TermOffer {
  return granted.fee.gross < agreed.fee.gross ? { ...agreed, fee: granted.fee } : agreed;
}
