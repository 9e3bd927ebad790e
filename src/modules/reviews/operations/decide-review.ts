import { recordReviewDecision as decide } from '#modules/underwriting';
import { operation } from '#operation/operation';
import { applyReview } from '../apply-review.ts';
import { Review, ReviewDecision, ReviewParams, toReview } from '../review.schemas.ts';

export const decideReview = operation({
  id: 'decideReview',
  summary: 'Decide a case',
  description:
    'One person accepts within what the policy proposed, or rejects. The facility or the order moves in the same ' +
    'transaction; where it cannot any more, the case stays open.',
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
  async run({ db, platformId, actor, now }, { params, body }) {
    const decided = await decide(db, platformId, {
      reviewId: params.review_id,
      outcome: body.outcome,
      limitMinor: body.limit_amount ?? null,
      by: actor,
      reason: body.reason,
      now,
    });
    await applyReview({ db, platformId, actor, now }, decided);
    return { body: toReview(decided.review), version: decided.review.version };
  },
});
