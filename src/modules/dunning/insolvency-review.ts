/** The review that the insolvency of a buyer opens. */
import { StartRefused } from '#kernel/start-refused';
import { listUndecidedReviews, lockInsolvency } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';

/**
 * Throws StartRefused while a review of the buyer's insolvency waits for a decision. Otherwise no other transaction opens one until
 * this transaction ends.
 */
export async function assertNoInsolvencyWaits(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  buyerExternalId: string,
): Promise<void> {
  await lockInsolvency(db, { platformId, buyerExternalId }, 'alone');
  const undecided = await listUndecidedReviews(db, platformId, buyerExternalId);
  const waiting = undecided.find(({ subject }) => subject === 'INSOLVENCY');
  if (waiting)
    throw new StartRefused(
      `The insolvency of buyer ${buyerExternalId} waits for a decision: see tradeline review show --review ${waiting.review_id}.`,
    );
}
