/**
 * Opens and withdraws reviews, for facilities, orders and services in their own transaction. The module `reviews` has what
 * persons do with a review.
 */
import { randomUUID } from 'node:crypto';
import type { Currency } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import type { ChangeContext } from '#operation/operation';
import { insertReviews, lockUndecidedReviews, type ReviewRow, transitionReview } from './review.queries.ts';

export interface ReviewOpening {
  subject: ReviewRow['subject'];
  buyerExternalId: string;
  orderExternalId: string | null;
  /** Set for a financing only. */
  serviceExternalId?: string;
  currency: Currency;
  /** The requested limit, the gross amount of the order, or the base of the financing, in minor units. */
  requestedMinor: number | null;
  reasons: readonly string[];
  /** The policy's decision that the review follows; null for an order without one, and for a financing. */
  decision: { decision_id: string; outcome: ReviewRow['automatic_outcome'] } | null;
  /** The limit that the policy proposed, in minor units. */
  proposedMinor: number | null;
  /** The outcome that a sandbox script gives the review a day later; null without one. */
  scriptedOutcome: 'ACCEPT' | 'REJECT' | null;
  /** The comment of an operator. Default: the text of the lifecycle. */
  comment?: string;
}

/** How long after its opening a script decides a review, by the platform's clock. */
const SCRIPTED_REVIEW_SECONDS = DAY_SECONDS;

/** Opens a review and returns its id. */
export async function openReview(
  { db, platformId, actor, now }: ChangeContext,
  opening: ReviewOpening,
): Promise<string> {
  const { decision, scriptedOutcome } = opening;
  const review = {
    platform_id: platformId,
    review_id: randomUUID(),
    subject: opening.subject,
    buyer_external_id: opening.buyerExternalId,
    order_external_id: opening.orderExternalId,
    service_external_id: opening.serviceExternalId ?? null,
    decision_id: decision?.decision_id ?? null,
    automatic_outcome: decision?.outcome ?? null,
    currency: opening.currency,
    requested_minor: opening.requestedMinor,
    limit_minor: opening.proposedMinor,
    reasons: [...opening.reasons],
    opened_at: now,
    scripted_outcome: scriptedOutcome,
    scripted_at: scriptedOutcome === null ? null : now + SCRIPTED_REVIEW_SECONDS,
  };
  await insertReviews(db, [review], { actor, comment: opening.comment });
  return review.review_id;
}

/** Withdraws the undecided reviews of orders that ended. Returns them. */
export async function withdrawReviewsOfOrders(
  context: ChangeContext,
  orderExternalIds: readonly string[],
  reason: string,
): Promise<ReviewRow[]> {
  const { db, platformId } = context;
  return withdrawAll(
    context,
    await lockUndecidedReviews(db, platformId, 'order_external_id', orderExternalIds),
    reason,
  );
}

/** Withdraws the undecided reviews of services that no longer wait for one. Returns them. */
export async function withdrawReviewsOfServices(
  context: ChangeContext,
  serviceExternalIds: readonly string[],
  reason: string,
): Promise<ReviewRow[]> {
  return withdrawAll(context, await lockReviewsOfServices(context, serviceExternalIds), reason);
}

/** Locks the undecided reviews of services. Reviews are locked before facilities, orders, invoices and services. */
export async function lockReviewsOfServices(
  { db, platformId }: ChangeContext,
  serviceExternalIds: readonly string[],
): Promise<ReviewRow[]> {
  return lockUndecidedReviews(db, platformId, 'service_external_id', serviceExternalIds);
}

async function withdrawAll(
  { db, actor, now }: ChangeContext,
  reviews: readonly ReviewRow[],
  reason: string,
): Promise<ReviewRow[]> {
  const withdrawn: ReviewRow[] = [];
  // An order or a service has one undecided review, so there are as many statements as reviews to end.
  for (const review of reviews)
    withdrawn.push(
      await transitionReview(db, {
        review,
        trigger: 'withdraw',
        changes: {},
        limitMinor: null,
        actor,
        reason,
        now,
      }),
    );
  return withdrawn;
}
