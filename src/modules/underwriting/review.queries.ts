/** Reviews. The status comes from the lifecycle, and its history row is written with it. */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CreditDecisions, CreditReviews } from '#infra/database/schema';
import { dueColumn } from '#infra/time/due-column.queries';
import { transitionOf } from '#kernel/lifecycle';
import { isUuid } from '#kernel/uuid';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { type ReviewStatus, type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';

export type ReviewRow = Selectable<CreditReviews>;

/** A transition of a review, with the columns that it changes besides the status. */
export interface ReviewTransition {
  /** The review as read under the lock. */
  review: ReviewRow;
  trigger: ReviewTrigger;
  changes: Partial<
    Pick<
      ReviewRow,
      | 'proposed_limit_minor'
      | 'proposed_by'
      | 'scripted_at'
      | 'outcome'
      | 'decided_limit_minor'
      | 'decided_by'
      | 'final_decision_id'
    >
  >;
  /** The limit of this transition in minor units, for the history. */
  limitMinor: number | null;
  actor: string;
  reason: string;
  now: number;
}

export type NewReview = Omit<
  ReviewRow,
  | 'status'
  | 'version'
  | 'updated_at'
  | 'proposed_limit_minor'
  | 'proposed_by'
  | 'outcome'
  | 'decided_limit_minor'
  | 'decided_by'
  | 'final_decision_id'
  | 'is_support_notified'
  | 'list_order'
>;

/** Inserts reviews with their first transition. */
export async function insertReviews(
  db: Db,
  reviews: readonly NewReview[],
  { actor, comment }: { actor: string; comment?: string | undefined },
): Promise<ReviewRow[]> {
  if (reviews.length === 0) return [];
  const { to, trigger, why } = transitionOf(reviewLifecycle, null, 'open');
  const rows = await db
    .insertInto('credit_reviews')
    .values(
      reviews.map((review) => ({
        ...review,
        platform_id: review.platform_id,
        status: to,
        updated_at: review.opened_at,
      })),
    )
    .returningAll()
    .execute();
  await db
    .insertInto('credit_review_transitions')
    .values(
      reviews.map(({ platform_id, review_id, limit_minor, opened_at }) => ({
        platform_id,
        review_id,
        version: 1,
        from_status: null,
        to_status: to,
        trigger,
        limit_minor,
        transitioned_at: opened_at,
        actor,
        reason: comment ?? why,
      })),
    )
    .execute();
  return rows;
}

/** Writes a transition of a locked review. Throws INVALID_STATUS_TRANSITION with the allowed triggers. */
export async function transitionReview(db: Db, transition: ReviewTransition): Promise<ReviewRow> {
  const { review, trigger, changes, limitMinor, actor, reason, now } = transition;
  const { to } = transitionOf(reviewLifecycle, review.status, trigger);
  const version = review.version + 1;
  const row = await db
    .updateTable('credit_reviews')
    .set({ ...changes, status: to, version, updated_at: now })
    .where('platform_id', '=', review.platform_id)
    .where('review_id', '=', review.review_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('credit_review_transitions')
    .values({
      platform_id: review.platform_id,
      review_id: review.review_id,
      version,
      from_status: review.status,
      to_status: to,
      trigger,
      limit_minor: limitMinor,
      transitioned_at: now,
      actor,
      reason,
    })
    .execute();
  return row;
}

/** Locks a review until the transaction ends. Undefined for an unknown one. */
export async function lockReview(
  db: Db,
  platformId: number,
  reviewId: string,
): Promise<ReviewRow | undefined> {
  return isUuid(reviewId)
    ? db
        .selectFrom('credit_reviews')
        .selectAll()
        .where('platform_id', '=', platformId)
        .where('review_id', '=', reviewId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
}

export async function findReview(
  db: Db,
  platformId: number,
  reviewId: string,
): Promise<ReviewRow | undefined> {
  return isUuid(reviewId)
    ? db
        .selectFrom('credit_reviews')
        .selectAll()
        .where('platform_id', '=', platformId)
        .where('review_id', '=', reviewId)
        .executeTakeFirst()
    : undefined;
}

/** The states that have the trigger. */
const statesWith = (trigger: ReviewTrigger) =>
  reviewLifecycle.transitions
    .filter((transition) => transition.trigger === trigger)
    .map((transition) => transition.from);

/** Locks the undecided reviews of these orders or services, in the order of their ids. */
export async function lockUndecidedReviews(
  db: Db,
  platformId: number,
  column: 'order_external_id' | 'service_external_id',
  externalIds: readonly string[],
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    select * from credit_reviews
    where platform_id = ${platformId} and ${sql.ref(column)} = any(${[...externalIds]}::text[])
      and status = any(${statesWith('withdraw')}::text[])
    order by review_id for update`.execute(db);
  return rows;
}

/** The first open reviews whose sandbox script is due, the earliest first. */
export async function findDueScriptedReviews(
  db: Db,
  platformId: number,
  until: number,
  countMax: number,
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    select * from credit_reviews
    where platform_id = ${platformId} and scripted_at <= ${until} and status = any(${statesWith('decide')}::text[])
    order by scripted_at, review_id limit ${countMax}`.execute(db);
  return rows;
}

/** All platforms on which a script is due by the platform's clock. `now` is the real time in unix seconds. */
export const { findPlatforms: findPlatformsWithScriptedReviews } = dueColumn({
  table: 'credit_reviews',
  column: 'scripted_at',
  key: 'review_id',
  condition: sql`status = any(${statesWith('decide')}::text[])`,
  resource: 'review',
  trigger: 'decide' satisfies ReviewTrigger,
});

export interface ReviewFilter {
  status?: readonly ReviewStatus[];
  subject?: readonly ReviewRow['subject'][];
  buyer_external_id?: readonly string[];
  order_external_id?: readonly string[];
  service_external_id?: readonly string[];
}

export const reviewTotals = {
  list: 'credit_reviews',
  by: [['status'], ['subject'], ['status', 'subject']],
} as const;

const REVIEWS: ListTable<ReviewFilter> = {
  table: 'credit_reviews',
  key: 'review_id',
  sort: 'list_order',
  values: ['status', 'subject', 'buyer_external_id', 'order_external_id', 'service_external_id'],
  ranges: [],
  spread: { column: 'status', values: reviewLifecycle.states, after: [] },
  counted: reviewTotals.by,
};

/** Open reviews first, then those that wait for a second person; the oldest first. */
export async function listReviewRows(context: ListContext, filter: ReviewFilter, page: CursorPage) {
  return listRows<ReviewFilter, ReviewRow>(context, REVIEWS, filter, page);
}

/** The reviews of a buyer that a person has to decide, open ones first, the oldest first. */
export async function listUndecidedReviews(
  db: Db,
  platformId: number,
  buyerExternalId: string,
): Promise<ReviewRow[]> {
  return db
    .selectFrom('credit_reviews')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('status', 'in', ['OPEN', 'AWAITING_APPROVAL'] satisfies ReviewStatus[])
    .orderBy('list_order')
    .orderBy('review_id')
    .execute();
}

/** The reviews that a decision led to, or that led to it, the oldest first. */
export async function listReviewsOfDecision(
  db: Db,
  {
    platform_id,
    buyer_external_id,
    decision_id,
  }: Pick<CreditDecisions, 'platform_id' | 'buyer_external_id' | 'decision_id'>,
): Promise<ReviewRow[]> {
  return db
    .selectFrom('credit_reviews')
    .selectAll()
    .where('platform_id', '=', platform_id)
    .where('buyer_external_id', '=', buyer_external_id)
    .where((eb) => eb.or([eb('decision_id', '=', decision_id), eb('final_decision_id', '=', decision_id)]))
    .orderBy('opened_at')
    .orderBy('review_id')
    .execute();
}

export interface ReviewTransitionRow {
  version: number;
  from_status: string | null;
  to_status: string;
  trigger: string;
  limit_minor: number | null;
  transitioned_at: number;
  actor: string;
  reason: string;
}

/** The history of a review, in order. */
export async function listReviewTransitions(
  db: Db,
  platformId: number,
  reviewId: string,
): Promise<ReviewTransitionRow[]> {
  const { rows } = await sql<ReviewTransitionRow>`
    select version, from_status, to_status, trigger, limit_minor, transitioned_at, actor, reason from credit_review_transitions
    where platform_id = ${platformId} and review_id = ${reviewId} order by version`.execute(db);
  return rows;
}
