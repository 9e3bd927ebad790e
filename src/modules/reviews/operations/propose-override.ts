import { recordOverrideProposal as propose } from '#modules/underwriting';
import { operation } from '#operation/operation';
import { OverrideProposal, Review, ReviewParams, toReview } from '../review.schemas.ts';

export const proposeOverride = operation({
  id: 'proposeOverride',
  summary: 'Propose to grant more than the policy did',
  description: 'Nothing is granted until a second person approves.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: OverrideProposal,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  async run({ db, platformId, actor, now }, { params, body }) {
    const review = await propose(db, platformId, {
      reviewId: params.review_id,
      limitMinor: body.limit_amount,
      by: actor,
      reason: body.reason,
      now,
    });
    return { body: toReview(review), version: review.version };
  },
});
