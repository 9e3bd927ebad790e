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
import type { ChangeContext } from '#operation/operation';
import type { OrderRow } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { reserve } from './order-credit.ts';
import { reservedFor } from './order-terms.rules.ts';
import { lockOrdersToConfirm } from './order-transitions.queries.ts';
import { releaseAndTransitionOrder, transitionOrder } from './transition-order.ts';

const GRANTED = "The buyer's facility was granted.";

/** Whether an order on this term waits for the first decision about the buyer's facility. */
export function isAwaitingFacility({ facility }: Standing, term: PaymentTerm): boolean {
  return facility?.status === 'PENDING' && isOnCredit(term);
}

/**
 * What every decision about a facility that exists goes through, whoever made it: where orders waited for it, they are
 * settled in the same transaction, which has locked the facility. Throws what `applyDecision` does; a decision is never
 * refused for what becomes of an order.
 */
export async function applyFacilityDecision(
  context: ChangeContext,
  facility: FacilityRow,
  decision: FacilityDecision,
  reason: string | null,
): Promise<FacilityRow> {
  const { db, actor, now } = context;
  const decided = await applyDecision(db, facility, decision, { actor, now, reason });
  if (facility.status === 'PENDING') await settleWaitingOrders(context, facility.buyer_external_id);
  return decided;
}

/**
 * In the order in which they were created, each with what those before it have left. A facility that was not granted
 * before cannot have an order that waits for anything else: it would have needed the facility.
 */
async function settleWaitingOrders(context: ChangeContext, buyerExternalId: string): Promise<void> {
  const { db, platformId, now } = context;
  const waiting = await lockOrdersToConfirm(db, { platformId, buyerExternalId });
  if (waiting.length === 0) return;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw notFound();
  for (const order of waiting) {
    const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
    await settle(context, order, standing, platform.max_payment_term);
  }
}

async function settle(
  context: ChangeContext,
  order: OrderRow,
  standing: Standing,
  maxPaymentTermDays: number,
): Promise<void> {
  const term = order.payment_term as PaymentTerm;
  const purchase = { ...purchaseOf(order), orderedAt: order.ordered_at };
  const answer = termOf(term, standing, maxPaymentTermDays, purchase, context.now);
  if ('refuse' in answer) {
    const refused = { cancellation_reason: 'RISK' };
    await releaseAndTransitionOrder(context, order, 'decline', refused, answer.refuse().message);
    return;
  }
  const reservedMinor = reservedFor(term, order.amount_gross, standing.limitPolicy);
  await reserve(context, order, reservedMinor, standing);
  const changes = {
    reserved_amount: reservedMinor,
    term_offer: noDearer(order.term_offer as TermOffer, answer.offer),
    expires_at: timeLimitOf('CONFIRMED', standing.limitPolicy, context.now),
  };
  await transitionOrder(context, order, 'confirm', changes, GRANTED);
}

/** What was agreed on, days and all, at the price of the class that was granted where that is lower. */
function noDearer(agreed: TermOffer, granted: TermOffer): TermOffer {
  return granted.fee.gross < agreed.fee.gross ? { ...agreed, fee: granted.fee } : agreed;
}
