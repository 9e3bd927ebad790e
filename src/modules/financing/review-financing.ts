/** The reviews in which a person decides financings: opened and withdrawn in the transaction of the examination. */
import type { ServiceRow } from '#modules/services';
import { openReview, withdrawReviewsOfServices } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import type { RequiredReview } from './requirements.rules.ts';

/** A service as it was before its examination, and the review that it now waits for. */
export interface ReviewNeed {
  service: ServiceRow;
  /** The amount that the financing covers, in minor units. */
  baseMinor: number;
  review: RequiredReview | null;
}

/**
 * Opens the reviews that written services wait for, and withdraws those that they no longer wait for. A review covers one file; another
 * file needs another review.
 */
export async function changeReviews(context: ChangeContext, needs: readonly ReviewNeed[]): Promise<void> {
  const changed = needs.filter(({ service, review }) => (review?.fileId ?? null) !== service.review_file_id);
  await withdrawFinancingReviews(
    context,
    changed.map(({ service }) => service),
  );
  // A person decides each of them, so a few extra statements for each are negligible.
  for (const { service, baseMinor, review } of changed)
    if (review !== null)
      await openReview(context, {
        subject: 'FINANCING',
        buyerExternalId: service.buyer_external_id,
        orderExternalId: null,
        serviceExternalId: service.external_id,
        currency: service.currency,
        requestedMinor: baseMinor,
        reasons: [review.reason],
        decision: null,
        proposedMinor: null,
        scriptedOutcome: null,
      });
}

/** Withdraws the undecided reviews of services. `services` are as they were before they changed. */
export async function withdrawFinancingReviews(
  context: ChangeContext,
  services: readonly ServiceRow[],
): Promise<void> {
  const reviewed = services.filter(({ review_file_id }) => review_file_id !== null);
  if (reviewed.length === 0) return;
  await withdrawReviewsOfServices(
    context,
    reviewed.map(({ external_id }) => external_id),
    'The financing no longer waits for this review.',
  );
}
