/** Orders of buyers whose facility is under review: they reserve nothing until the decision settles them. */
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
 * Applies a decision to an existing, locked facility and settles the orders that wait for it, in the same transaction.
 * Every decision goes through here. Throws what `applyDecision` throws; an order never refuses the decision.
 */
export async function applyFacilityDecision(
  context: ChangeContext,
  facility: FacilityRow,
  decision: FacilityDecision,
  reason: string | null,
): Promise<FacilityRow> {
  const decided = await applyDecision(context, facility, decision, reason);
  if (facility.status === 'PENDING') await settleWaitingOrders(context, decided, decision.decisionId);
  return decided;
}

/**
 * Settles the oldest order first; each sees the amount that the earlier ones left. An order of a PENDING facility waits for
 * nothing else: any other order on credit needs a granted facility.
 */
async function settleWaitingOrders(
  context: ChangeContext,
  { buyer_external_id: buyerExternalId }: FacilityRow,
  decisionId: string,
): Promise<void> {
  const { db, platformId, now } = context;
  const waiting = await lockOrdersToConfirm(db, { platformId, buyerExternalId });
  if (waiting.length === 0) return;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw notFound();
  for (const order of waiting) {
    const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
    await settle(context, { ...order, decision_id: decisionId }, standing, platform.max_payment_term);
  }
}

/** @param order With the decision that settles it. */
async function settle(
  context: ChangeContext,
  order: OrderRow,
  standing: Standing,
  maxPaymentTermDays: number,
): Promise<void> {
  const { decision_id } = order;
  const term = order.payment_term as PaymentTerm;
  const purchase = { ...purchaseOf(order), orderedAt: order.ordered_at };
  const answer = termOf(term, standing, maxPaymentTermDays, purchase, context.now);
  if ('refuse' in answer) {
    const refused = { cancellation_reason: 'RISK', decision_id };
    await releaseAndTransitionOrder(context, order, 'decline', refused, answer.refuse().message);
    return;
  }
  const reservedMinor = reservedFor(term, order.amount_gross, standing.limitPolicy);
  await reserve(context, order, reservedMinor, standing);
  const changes = {
    reserved_amount: reservedMinor,
    term_offer: noDearer(order.term_offer as TermOffer, answer.offer),
    expires_at: timeLimitOf('CONFIRMED', standing.limitPolicy, context.now),
    decision_id,
  };
  await transitionOrder(context, order, 'confirm', changes, GRANTED);
}

/** The agreed offer, at the price of the granted class if that is lower. */
function noDearer(agreed: TermOffer, granted: TermOffer): TermOffer {
  return granted.fee.gross < agreed.fee.gross ? { ...agreed, fee: granted.fee } : agreed;
}
