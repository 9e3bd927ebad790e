import { recordOverrideRefusal as refuse } from '#modules/underwriting';
import { operation } from '#operation/operation';
import { Review, ReviewParams, ReviewReason, toReview } from '../review.schemas.ts';

export const refuseOverride = operation({
  id: 'refuseOverride',
  summary: 'Refuse an override that was proposed',
  description: 'The case is open again, as if nothing had been proposed; its history keeps the proposal.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: ReviewReason,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  async run({ db, platformId, actor, now }, { params, body }) {
    const review = await refuse(db, platformId, {
      reviewId: params.review_id,
      by: actor,
      reason: body.reason,
      now,
    });
    return { body: toReview(review), version: review.version };
  },
});
