import { operation } from '#operation/operation';
import { propose } from '../review.commands.ts';
import { OverrideProposal, Review, ReviewParams, toReview } from '../review.schemas.ts';

export const proposeOverride = operation({
  id: 'proposeOverride',
  summary: 'Propose to grant more than the policy did',
  description:
    'Nothing is granted until a second person approves. For an insolvency, it proposes to lift it.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: OverrideProposal,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  async run(context, { params, body }) {
    const review = await propose(context, {
      reviewId: params.review_id,
      limitMinor: body.limit_amount ?? null,
      reason: body.reason,
    });
    return { body: toReview(review), version: review.version };
  },
});
