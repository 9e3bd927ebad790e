/** What a decided case does to the facility or the order that it is about. */

import { notFound } from '#kernel/problem';
import { type FacilityDecision, findAwaitedReviewId, lockFacility, overrideLimit } from '#modules/facilities';
import { applyFacilityDecision, confirmOrder, declineOrder } from '#modules/orders';
import { type DecidedReview, type ReviewRow, type Subject, withdrawReview } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';

const OVERTAKEN = 'Another case about the same was accepted.';

/**
 * Applies the outcome in the transaction that decided the case, so that neither is there without the other. Throws what
 * refuses the move: INVALID_STATUS_TRANSITION, or for an order what refuses it credit by now.
 */
export async function applyReview(
  context: ChangeContext,
  { review, decision }: DecidedReview,
): Promise<void> {
  const reason = decision.comment;
  const about = aboutOf(review);
  if (about === null) {
    const transition = review.outcome === 'ACCEPT' ? confirmOrder : declineOrder;
    await transition(context, review.order_external_id as string, reason);
    return;
  }
  const { db, platformId, actor, now } = context;
  const key = { platformId, buyerExternalId: review.buyer_external_id };
  const awaitedId = await findAwaitedReviewId(db, key, about);
  const isAwaited = awaitedId === review.review_id;
  // Before the facility is locked, as whoever decides that case does. Decided later, it would grant the same once more.
  if (review.outcome === 'ACCEPT' && awaitedId !== undefined && !isAwaited)
    await withdrawReview(db, platformId, { reviewId: awaitedId, by: actor, reason: OVERTAKEN, now });
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  const { decision_id: decisionId, limit_minor: limitMinor } = decision;
  if (review.outcome !== 'ACCEPT') {
    // A case against a refusal is ended, and the refusal stands, or what the buyer was granted since.
    if (isAwaited)
      await applyFacilityDecision(context, facility, { about, decisionId, outcome: 'REJECT' }, reason);
    return;
  }
  const granted = {
    about,
    decisionId,
    outcome: 'ACCEPT' as const,
    limitMinor: limitMinor as number,
    riskBand: decision.risk_band as string,
    priceClass: decision.price_class as string,
  } satisfies FacilityDecision;
  // A refusal that was overridden after the buyer had applied again, and was granted another limit.
  if (about === 'CREATION' && facility.status === 'ACTIVE')
    await overrideLimit(db, facility, { limitMinor: granted.limitMinor, decisionId }, { actor, now, reason });
  else await applyFacilityDecision(context, facility, granted, reason);
}

/** What of a facility the case is about; null where it is about an order. */
export function aboutOf({ subject }: Pick<ReviewRow, 'subject'>): FacilityDecision['about'] | null {
  return ABOUT[subject as Subject];
}

const ABOUT: Record<Subject, FacilityDecision['about'] | null> = {
  FACILITY_CREATION: 'CREATION',
  FACILITY_RENEWAL: 'RENEWAL',
  FACILITY_INCREASE: 'INCREASE',
  ORDER: null,
};
