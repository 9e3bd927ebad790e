/**
 * Orders that wait for a review of the buyer's facility: of its first limit, or of an increase that they need. They reserve nothing
 * until the decision settles them.
 */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import { notFound } from '#kernel/problem';
import {
  applyDecision,
  type FacilityDecision,
  type FacilityRow,
  findIncreaseDecisionId,
  findStanding,
  isFacilityAwaited,
  isLimitTooSmall,
  noDearer,
  type Standing,
  type TermOffer,
  type TermSettings,
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

/** The standing that decides a draft, including the pending increase if the limit is too small for the draft. */
export async function findStandingForOrder(
  { db, platformId, now }: Pick<ChangeContext, 'db' | 'platformId' | 'now'>,
  order: OrderRow,
): Promise<Standing> {
  const key = { platformId, buyerExternalId: order.buyer_external_id };
  const standing = await findStanding(db, { ...key, at: now });
  if (!isLimitTooSmall(standing, purchaseOf(order), now)) return standing;
  return { ...standing, increaseDecisionId: await findIncreaseDecisionId(db, key) };
}

/** Whether an order on this term waits for a review of the buyer's facility. */
export function isAwaitingFacility(
  standing: Standing,
  term: PaymentTerm,
  order: OrderRow,
  now: number,
): boolean {
  return isOnCredit(term) && isFacilityAwaited(standing, purchaseOf(order), now);
}

/**
 * Applies a decision to an existing, locked facility and settles the orders that wait for it, in the same transaction. Every decision
 * about a facility is applied here. Throws what `applyDecision` throws; an order never refuses the decision.
 */
export async function applyFacilityDecision(
  context: ChangeContext,
  facility: FacilityRow,
  decision: FacilityDecision,
  reason: string | null,
): Promise<FacilityRow> {
  const decided = await applyDecision(context, facility, decision, reason);
  const isSettling = facility.status === 'PENDING' || decision.about === 'INCREASE';
  if (isSettling && decision.outcome !== 'REFER') await settleWaitingOrders(context, decided, decision);
  return decided;
}

/** Settles the oldest order first; each sees the amount that the earlier ones left. */
async function settleWaitingOrders(
  context: ChangeContext,
  { buyer_external_id: buyerExternalId }: FacilityRow,
  { about, decisionId }: Pick<FacilityDecision, 'about' | 'decisionId'>,
): Promise<void> {
  const { db, platformId, now } = context;
  const waiting = await lockOrdersToConfirm(db, { platformId, buyerExternalId }, about);
  if (waiting.length === 0) return;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw notFound();
  for (const order of waiting) {
    const standing = await findStanding(db, { platformId, buyerExternalId, at: now });
    await settle(context, { ...order, decision_id: decisionId }, standing, platform);
  }
}

/** @param order The order with the decision that settles it. */
async function settle(
  context: ChangeContext,
  order: OrderRow,
  standing: Standing,
  settings: TermSettings,
): Promise<void> {
  const { decision_id } = order;
  const term = order.payment_term as PaymentTerm;
  const purchase = { ...purchaseOf(order), orderedAt: order.ordered_at };
  const answer = termOf(term, standing, settings, purchase, context.now);
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
