import type { Db } from '#infra/database/database';
import { closed, externalId } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findLastDecisionId } from '#modules/facilities';
import { findDecision, listUndecidedReviews } from '#modules/underwriting';
import { operation } from '#operation/operation';
import { openReviewOfRejection, propose } from '../review.commands.ts';
import { OverrideProposal, Review, toReview } from '../review.schemas.ts';

export const overrideRejection = operation({
  id: 'overrideRejection',
  summary: 'Propose an override of a rejection',
  description:
    "Opens a review of the last decision about the buyer's facility, which must be a rejection by the policy. Nothing is " +
    'granted until a second person approves.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: closed({ buyer_external_id: externalId('The buyer') }),
  body: OverrideProposal,
  isVersioned: true,
  status: 201,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  async run(context, { params, body }) {
    const { db, platformId } = context;
    // By the facility's transitions: two decisions within one second have no order, and decisions on orders do not count.
    const key = { platformId, buyerExternalId: params.buyer_external_id };
    const decisionId = await findLastDecisionId(db, key);
    const last = decisionId && (await findDecision(db, platformId, decisionId));
    if (!decisionId || !last || last.outcome !== 'REJECT') throw notFound();
    const known = await undecidedOf(db, platformId, params.buyer_external_id, decisionId);
    const reviewId = known ?? (await openReviewOfRejection(context, decisionId));
    const review = await propose(context, {
      reviewId,
      limitMinor: body.limit_amount ?? null,
      reason: body.reason,
    });
    return { body: toReview(review), version: review.version };
  },
});

/** The undecided review of this decision, if there is one. */
async function undecidedOf(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  decisionId: string,
): Promise<string | undefined> {
  const undecided = await listUndecidedReviews(db, platformId, buyerExternalId);
  return undecided.find((review) => review.decision_id === decisionId)?.review_id;
}
