import { recordApproval as approve } from '#modules/underwriting';
import { operation } from '#operation/operation';
import { applyReview } from '../apply-review.ts';
import { Review, ReviewParams, ReviewReason, toReview } from '../review.schemas.ts';

export const approveOverride = operation({
  id: 'approveOverride',
  summary: 'Approve an override, as the second person',
  description:
    'The limit is granted in the same transaction; where it cannot be any more, the case goes on waiting.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: ReviewReason,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION', 'SECOND_PERSON_REQUIRED'],
  async run({ db, platformId, actor, now }, { params, body }) {
    const decided = await approve(db, platformId, {
      reviewId: params.review_id,
      by: actor,
      reason: body.reason,
      now,
    });
    await applyReview({ db, platformId, actor, now }, decided);
    return { body: toReview(decided.review), version: decided.review.version };
  },
});
