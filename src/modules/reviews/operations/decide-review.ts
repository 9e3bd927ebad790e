import { operation } from '#operation/operation';
import { applyReview } from '../apply-review.ts';
import { decide } from '../review.commands.ts';
import { Review, ReviewDecision, ReviewParams, toReview } from '../review.schemas.ts';

export const decideReview = operation({
  id: 'decideReview',
  summary: 'Decide a review',
  description:
    'One person accepts within what the policy proposed, or rejects. A rejected review of an insolvency leaves it in place: only an ' +
    'override lifts it, and until then only an override grants the buyer credit. The outcome is applied in the same transaction. If it can no longer be ' +
    'applied, the review stays open.',
  tag: 'Facilities',
  scope: 'admin',
  effect: 'transaction',
  params: ReviewParams,
  body: ReviewDecision,
  isVersioned: true,
  status: 200,
  response: Review,
  problems: [
    'NOT_FOUND',
    'INVALID_STATUS_TRANSITION',
    'OVERRIDE_REQUIRED',
    'NO_ACTIVE_FACILITY',
    'FACILITY_EXPIRED',
    'FACILITY_FROZEN',
    'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    'BUYER_OVERDUE',
  ],
  async run(context, { params, body }) {
    const decided = await decide(context, {
      reviewId: params.review_id,
      outcome: body.outcome,
      limitMinor: body.limit_amount ?? null,
      reason: body.reason,
    });
    await applyReview(context, decided);
    return { body: toReview(decided.review), version: decided.review.version };
  },
});
