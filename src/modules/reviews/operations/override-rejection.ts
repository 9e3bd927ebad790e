import type { Db } from '#infra/database/database';
import { closed, externalId } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findLastDecisionId } from '#modules/facilities';
import {
  findDecision,
  listReviewRows,
  openReviewOfRejection,
  recordOverrideProposal,
} from '#modules/underwriting';
import { operation } from '#operation/operation';
import { OverrideProposal, Review, toReview } from '../review.schemas.ts';

export const overrideRejection = operation({
  id: 'overrideRejection',
  summary: 'Propose to grant what the policy has just refused a buyer',
  description:
    "Opens a case against the last decision about the buyer's facility, which must be a refusal by the policy. Nothing is " +
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
  async run({ db, platformId, actor, now }, { params, body }) {
    // By the facility's moves: two decisions of one second have no order of their own, and those on orders do not count.
    const key = { platformId, buyerExternalId: params.buyer_external_id };
    const decisionId = await findLastDecisionId(db, key);
    const last = decisionId && (await findDecision(db, platformId, decisionId));
    if (!decisionId || !last || last.outcome !== 'REJECT') throw notFound();
    const known = await undecidedOf(db, platformId, params.buyer_external_id, decisionId);
    const reviewId = known ?? (await openReviewOfRejection(db, platformId, { decisionId, actor, now }));
    const review = await recordOverrideProposal(db, platformId, {
      reviewId,
      limitMinor: body.limit_amount,
      by: actor,
      reason: body.reason,
      now,
    });
    return { body: toReview(review), version: review.version };
  },
});

/** The case that was opened against this decision before, and was not decided. */
async function undecidedOf(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  decisionId: string,
): Promise<string | undefined> {
  const filter = { status: ['OPEN', 'AWAITING_APPROVAL'] as const, buyer_external_id: [buyerExternalId] };
  const { items } = await listReviewRows(db, platformId, filter, { limit: 100, offset: 0 });
  return items.find((review) => review.decision_id === decisionId)?.review_id;
}
