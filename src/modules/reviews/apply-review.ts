/** What a decided case does to the facility or the order that it is about. */
import { notFound } from '#kernel/problem';
import { applyDecision, type FacilityDecision, lockFacility, overrideLimit } from '#modules/facilities';
import { confirmOrder, declineOrder, type Mover } from '#modules/orders';
import type { DecidedReview, ReviewRow, Subject } from '#modules/underwriting';

/**
 * Applies the outcome in the transaction that decided the case, so that neither is there without the other. Throws what
 * refuses the move: INVALID_STATUS_TRANSITION, or for an order what refuses it credit by now.
 */
export async function applyReview(mover: Mover, { review, decision }: DecidedReview): Promise<void> {
  const reason = decision.comment;
  const about = aboutOf(review);
  if (about === null) {
    const move = review.outcome === 'ACCEPT' ? confirmOrder : declineOrder;
    await move(mover, review.order_external_id as string, reason);
    return;
  }
  const { db, platformId, actor, now } = mover;
  const facility = await lockFacility(db, { platformId, buyerExternalId: review.buyer_external_id });
  if (!facility) throw notFound();
  const acting = { actor, now, reason };
  const { decision_id: decisionId, limit_minor: limitMinor } = decision;
  if (review.outcome !== 'ACCEPT') {
    await applyDecision(db, facility, { about, decisionId, outcome: 'REJECT' }, acting);
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
    await overrideLimit(db, facility, { limitMinor: granted.limitMinor, decisionId }, acting);
  else await applyDecision(db, facility, granted, acting);
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
