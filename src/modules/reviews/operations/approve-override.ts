import { operation } from '#operation/operation';
import { applyReview } from '../apply-review.ts';
import { approve } from '../review.commands.ts';
import { Review, ReviewParams, ReviewReason, toReview } from '../review.schemas.ts';

export const approveOverride = operation({
  id: 'approveOverride',
  summary: 'Approve an override, as the second person',
  description:
    'The limit is granted in the same transaction. If the facility can no longer take it, the review is unchanged.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: ReviewReason,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION', 'FACILITY_FROZEN', 'SECOND_PERSON_REQUIRED'],
  async run(context, { params, body }) {
    const decided = await approve(context, { reviewId: params.review_id, reason: body.reason });
    await applyReview(context, decided);
    return { body: toReview(decided.review), version: decided.review.version };
  },
});
