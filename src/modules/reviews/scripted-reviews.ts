/** Cases of a sandbox that a script decides a day after they were opened. */
import type { Db } from '#infra/database';
import type { Due, DueSource } from '#infra/due-moves';
import { inTransaction } from '#infra/transaction';
import { Problem } from '#kernel/problem';
import {
  decideReview,
  findDueScriptedReviews,
  findPlatformsWithScriptedReviews,
  findReview,
  type ReviewRow,
  type ReviewTrigger,
  reviewLifecycle,
} from '#modules/underwriting';
import { applyReview } from './apply-review.ts';

const TRIGGER: ReviewTrigger = 'decide';
const ACTOR = 'sandbox';
const REASON = "As the sandbox's script says.";
const REASON_REFUSED = "The sandbox's script accepts it, but it cannot be accepted any more.";

export const scriptedReviews: DueSource<unknown> = {
  findPlatforms: findPlatformsWithScriptedReviews,
  async findNext(db, platformId, until) {
    const [review] = await findDueScriptedReviews(db, platformId, until, 1);
    return review && dueOf(review);
  },
  async make(db, platformId, { externalId: reviewId, dueAt: now }) {
    const review = await findReview(db, platformId, reviewId);
    // A person has decided it meanwhile, or proposed something else.
    if (!isOpen(review)) return;
    const outcome = review.scripted_outcome as 'ACCEPT' | 'REJECT';
    try {
      await decide(db, platformId, { reviewId, outcome, reason: REASON, now });
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (!isOpen(await findReview(db, platformId, reviewId))) return;
      // The facility was frozen, or its limit taken, since: a case that is due must end.
      await decide(db, platformId, { reviewId, outcome: 'REJECT', reason: REASON_REFUSED, now });
    }
  },
};

function dueOf({ review_id, scripted_at }: ReviewRow): Due {
  return { dueAt: scripted_at as number, resource: 'review', externalId: review_id, trigger: TRIGGER };
}

function isOpen(review: ReviewRow | undefined): review is ReviewRow {
  return reviewLifecycle.moves.some(({ from, trigger }) => from === review?.status && trigger === TRIGGER);
}

function isRefused(error: unknown): boolean {
  return error instanceof Problem && (error.status === 409 || error.status === 422);
}

async function decide(
  db: Db,
  platformId: number,
  wish: { reviewId: string; outcome: 'ACCEPT' | 'REJECT'; reason: string; now: number },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const decided = await decideReview(transaction, platformId, { ...wish, by: ACTOR });
    await applyReview({ db: transaction, platformId, actor: ACTOR, now: wish.now }, decided);
  });
}
