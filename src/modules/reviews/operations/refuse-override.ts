import { operation } from '#operation/operation';
import { refuse } from '../review.commands.ts';
import { Review, ReviewParams, ReviewReason, toReview } from '../review.schemas.ts';

export const refuseOverride = operation({
  id: 'refuseOverride',
  summary: 'Refuse a proposed override',
  description: 'The review is open again. Its history keeps the proposal.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: ReviewReason,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  async run(context, { params, body }) {
    const review = await refuse(context, { reviewId: params.review_id, reason: body.reason });
    return { body: toReview(review), version: review.version };
  },
});
