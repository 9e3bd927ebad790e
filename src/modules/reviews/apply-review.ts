/** What a decided review does to its facility, its order, its financing or an insolvency. */
import { notFound } from '#kernel/problem';
import { liftInsolvency } from '#modules/dunning';
import {
  type FacilityDecision,
  findAwaitedReviewId,
  lockEntityOfBuyer,
  lockFacility,
  overrideLimit,
} from '#modules/facilities';
import { applyFinancingReview } from '#modules/financing';
import { applyFacilityDecision, confirmOrder, declineOrder } from '#modules/orders';
import type { BuyerReasonCode } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { assertEntityNotGrown, assertNotInsolvent } from './granted-alone.ts';
import { type DecidedReview, withdraw } from './review.commands.ts';
import { aboutOf } from './review.rules.ts';

const OVERTAKEN = 'Another review of the same subject was accepted.';

/**
 * Applies the outcome, in the transaction that decided the review. Throws INVALID_STATUS_TRANSITION if the facility or the
 * order has no such transition, and for an order the problem that refuses it credit now.
 */
export async function applyReview(
  context: ChangeContext,
  { review, decision, reason }: DecidedReview,
): Promise<void> {
  if (decision === null) {
    const { buyer_external_id: buyerExternalId, opened_at: recordedAt } = review;
    if (review.outcome === 'ACCEPT') await liftInsolvency(context, { buyerExternalId, recordedAt, reason });
    return;
  }
  const about = aboutOf(review);
  if (review.service_external_id !== null) {
    const { outcome } = decision;
    await applyFinancingReview(context, review.service_external_id, outcome as 'ACCEPT' | 'REJECT', reason);
    return;
  }
  if (about === null) {
    const transition = review.outcome === 'ACCEPT' ? confirmOrder : declineOrder;
    await transition(context, review.order_external_id as string, reason, decision.decision_id);
    return;
  }
  const { db, platformId } = context;
  const key = { platformId, buyerExternalId: review.buyer_external_id };
  const awaitedId = await findAwaitedReviewId(db, key, about);
  const isAwaited = awaitedId === review.review_id;
  // Left open, the awaited review would grant the same again. Locks are taken in one order: review, legal entity, facility.
  if (review.outcome === 'ACCEPT' && awaitedId !== undefined && !isAwaited)
    await withdraw(context, { reviewId: awaitedId, reason: OVERTAKEN });
  const entity = await lockEntityOfBuyer(db, key);
  await assertEntityNotGrown(context, review, decision, entity);
  await assertNotInsolvent(context, decision);
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  const reference = {
    about,
    decisionId: decision.decision_id,
    buyerReasons: decision.buyer_reasons as BuyerReasonCode[],
  };
  if (review.outcome !== 'ACCEPT') {
    // A review that the facility does not wait for leaves it unchanged.
    if (isAwaited)
      await applyFacilityDecision(context, facility, { ...reference, outcome: 'REJECT' }, reason);
    return;
  }
  const granted = {
    ...reference,
    outcome: 'ACCEPT' as const,
    limitMinor: decision.limit_minor as number,
    riskBand: decision.risk_band as string,
    priceClass: decision.price_class as string,
  } satisfies FacilityDecision;
  // The buyer applied again after the rejection and was granted another limit.
  if (about === 'CREATION' && facility.status === 'ACTIVE')
    await overrideLimit(context, facility, granted, reason);
  else await applyFacilityDecision(context, facility, granted, reason);
}
