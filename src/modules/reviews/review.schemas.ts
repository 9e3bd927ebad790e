import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  looseText,
  nullable,
  oneOf,
  unixSeconds,
} from '#kernel/fields';
import { REVIEW_SUBJECTS, type ReviewRow, reviewLifecycle } from '#modules/underwriting';

const reviewId = Type.String({ description: 'Identifier of the review' });
/** The commands validate the reason. */
const reason = looseText(1_000, 'The reason, for the history; never empty');

export const ReviewParams = closed({ review_id: reviewId });

export const ReviewDecision = closed(
  {
    outcome: oneOf(['ACCEPT', 'REJECT']),
    limit_amount: Type.Optional(
      amountInput(1, 'The limit to grant, in minor units. Default: the most that one person may grant'),
    ),
    reason,
  },
  'ReviewDecision',
);

export const OverrideProposal = closed(
  {
    limit_amount: Type.Optional(
      amountInput(1, 'The limit to grant, in minor units; omitted to lift an insolvency, which grants none'),
    ),
    reason,
  },
  'OverrideProposal',
);

export const ReviewReason = closed({ reason }, 'ReviewReason');

export const Review = closed(
  {
    review_id: reviewId,
    status: oneOf(reviewLifecycle.states),
    subject: oneOf(REVIEW_SUBJECTS),
    buyer_external_id: externalId('The buyer'),
    order_external_id: nullable(externalId('The order, if the review is about one')),
    service_external_id: nullable(externalId('The financing of an invoice, if the review is about one')),
    currency: CurrencySchema,
    requested_amount: nullable(Type.Integer({ description: 'The requested amount, in minor units' })),
    proposed_amount: nullable(Type.Integer({ description: 'The limit that the policy proposed' })),
    reasons: Type.Array(Type.String(), { description: 'Why a person must decide' }),
    opened_at: unixSeconds('When the review was opened'),
    updated_at: unixSeconds('When it last changed'),
    override_amount: nullable(Type.Integer({ description: 'The limit of the proposed override' })),
    override_by: nullable(Type.String({ description: 'Who proposed it' })),
    outcome: nullable(oneOf(['ACCEPT', 'REJECT'])),
    decided_amount: nullable(Type.Integer({ description: 'The granted limit' })),
    decided_by: nullable(Type.String({ description: 'Who decided, or approved the override' })),
    scripted_at: nullable(unixSeconds('When a sandbox script decides the review')),
  },
  'Review',
);
export type Review = Static<typeof Review>;

export function toReview(row: ReviewRow): Review {
  return {
    review_id: row.review_id,
    status: row.status as Review['status'],
    subject: row.subject as Review['subject'],
    buyer_external_id: row.buyer_external_id,
    order_external_id: row.order_external_id,
    service_external_id: row.service_external_id,
    currency: row.currency as Review['currency'],
    requested_amount: row.requested_minor,
    proposed_amount: row.limit_minor,
    reasons: row.reasons,
    opened_at: row.opened_at,
    updated_at: row.updated_at,
    override_amount: row.proposed_limit_minor,
    override_by: row.proposed_by,
    outcome: row.outcome as Review['outcome'],
    decided_amount: row.decided_limit_minor,
    decided_by: row.decided_by,
    scripted_at: row.scripted_at,
  };
}
