/** Reviews that a sandbox script decides a day after they were opened. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { type Due, type DueSource, isSame, oneByOne } from '#infra/time/due-transitions';
import { Problem } from '#kernel/problem';
import { triggerOf } from '#modules/facilities';
import {
  findDueScriptedReviews,
  findPlatformsWithScriptedReviews,
  findReview,
  type ReviewRow,
  type ReviewTrigger,
  reviewLifecycle,
} from '#modules/underwriting';
import { applyReview } from './apply-review.ts';
import { decide } from './review.commands.ts';
import { aboutOf } from './review.rules.ts';

const TRIGGER: ReviewTrigger = 'decide';
const ACTOR = 'sandbox';
const REASON = "As the sandbox's script says.";
const REASON_REFUSED = "The sandbox's script accepts it, but it cannot be accepted any more.";

/** More reviews than ever fall due at one instant. */
const DUE_TOGETHER_MAX = 100;

export const scriptedReviews: DueSource<unknown, 'facility' | 'order'> = {
  findPlatforms: findPlatformsWithScriptedReviews,
  async findNext(db, platformId, until, countMax, except) {
    const reviews = await findDueScriptedReviews(db, platformId, until, countMax + except.length);
    const due = reviews.map(dueOf).filter((each) => !except.some((other) => isSame(each, other)));
    return due.filter(({ dueAt }) => dueAt === due[0]?.dueAt).slice(0, countMax);
  },
  ...oneByOne(async (db, platformId, due) => {
    const reviews = await findDueScriptedReviews(db, platformId, due.dueAt, DUE_TOGETHER_MAX);
    const review = reviews.find((each) => isSame(dueOf(each), due));
    // A person has decided it in between, or proposed an override.
    if (!review) return;
    const request = { reviewId: review.review_id, now: due.dueAt };
    try {
      await decideAndApply(db, platformId, { ...request, outcome: outcomeOf(review), reason: REASON });
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (!isOpen(await findReview(db, platformId, review.review_id))) return;
      // The facility was frozen, or its limit is taken: a due review must end.
      await decideAndApply(db, platformId, { ...request, outcome: 'REJECT', reason: REASON_REFUSED });
    }
  }),
};

const outcomeOf = ({ scripted_outcome }: ReviewRow) => scripted_outcome as 'ACCEPT' | 'REJECT';

/** The due transition, named after that of the facility or the order, because reviews are not in the API. */
function dueOf(review: ReviewRow): Due<'facility' | 'order'> {
  const dueAt = review.scripted_at as number;
  const about = aboutOf(review);
  const outcome = outcomeOf(review);
  return about === null
    ? {
        dueAt,
        resource: 'order',
        externalId: review.order_external_id as string,
        trigger: outcome === 'ACCEPT' ? 'confirm' : 'decline',
      }
    : {
        dueAt,
        resource: 'facility',
        externalId: review.buyer_external_id,
        trigger: triggerOf(about, outcome),
      };
}

function isOpen(review: ReviewRow | undefined): review is ReviewRow {
  return reviewLifecycle.transitions.some(
    ({ from, trigger }) => from === review?.status && trigger === TRIGGER,
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof Problem && (error.status === 409 || error.status === 422);
}

async function decideAndApply(
  db: Db,
  platformId: number,
  { now, ...input }: { reviewId: string; outcome: 'ACCEPT' | 'REJECT'; reason: string; now: number },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const context = { db: transaction, platformId, actor: ACTOR, now };
    await applyReview(context, await decide(context, input));
  });
}
