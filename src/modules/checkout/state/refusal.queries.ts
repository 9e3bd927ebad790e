/** Why credit was refused, and the reviews that buyers requested. The query reads tables of other modules, to answer in one statement. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { isNotRelocating } from '#infra/database/each-platform';
import { type NewRowOf, table } from '#infra/database/table';
import type { BuyerReasonCode, ReviewRow } from '#modules/underwriting';
import type { Refusal } from './checkout.view.ts';

export interface KnownRefusal extends Refusal {
  decisionId: string;
  /** The undecided review of the decision; null if none. */
  openReviewId: string | null;
}

interface Row {
  decision_id: string;
  outcome: 'ACCEPT' | 'REJECT' | 'REFER';
  buyer_reasons: BuyerReasonCode[];
  is_by_policy: boolean;
  is_requested: boolean;
  review_id: string | null;
  review_status: ReviewRow['status'] | null;
}

/** The refusal by this decision, or by the person who decided after it; null if none. */
export async function findRefusal(
  db: Db,
  platformId: number,
  decisionId: string,
): Promise<KnownRefusal | null> {
  const { rows } = await sql<Row>`
    select d.decision_id, d.outcome, d.buyer_reasons, d.policy_version is not null as is_by_policy,
      q.decision_id is not null as is_requested, r.review_id, r.status as review_status
    from credit_decisions d
    left join checkout_review_requests q on q.platform_id = ${platformId} and q.decision_id = d.decision_id
    left join credit_reviews r on r.platform_id = ${platformId} and r.buyer_external_id = d.buyer_external_id
      and r.decision_id = d.decision_id
    where d.platform_id = ${platformId} and (d.decision_id = ${decisionId} or d.overrides = ${decisionId}) and d.outcome <> 'REFER'
    order by d.decided_at desc, d.overrides is null, r.opened_at desc limit 1`.execute(db);
  const [row] = rows;
  return row ? toRefusal(row) : null;
}

/** A person decides once: after that, only another application changes the answer. */
function toRefusal(row: Row): KnownRefusal {
  const { decision_id, outcome, buyer_reasons, is_by_policy, is_requested, review_id, review_status } = row;
  const isOpen = review_status === 'OPEN' || review_status === 'AWAITING_APPROVAL';
  const isDecided = !is_by_policy || (review_id !== null && !isOpen);
  const isGranted = outcome === 'ACCEPT';
  return {
    decisionId: decision_id,
    reasons: isGranted ? buyer_reasons.filter((code) => code === 'LIMIT_BELOW_REQUEST') : buyer_reasons,
    review: isGranted ? 'NONE' : isDecided ? 'DECIDED' : is_requested ? 'ASKED' : 'POSSIBLE',
    openReviewId: isOpen ? review_id : null,
  };
}

const reviewRequestsTable = table('checkout_review_requests', {
  platform_id: 'int',
  decision_id: 'uuid',
  review_id: 'uuid',
  order_external_id: 'text',
  requested_at: 'bigint',
  email_sealed: 'bytea',
  language: 'text',
  formality: 'text',
  answered_at: 'bigint',
});

/** Returns false if the review of this decision was already requested. */
export async function insertReviewRequest(
  db: Db,
  request: NewRowOf<typeof reviewRequestsTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('checkout_review_requests')
    .values(reviewRequestsTable.insertable(request))
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** A request whose review has ended, and that has not been answered. */
export interface EndedReview {
  platformId: number;
  decisionId: string;
}

/** The ended reviews to answer, of all platforms that are not relocating. */
export async function findEndedReviews(db: Db, limit: number): Promise<EndedReview[]> {
  const { rows } = await sql<EndedReview>`
    select q.platform_id as "platformId", q.decision_id as "decisionId"
    from checkout_review_requests q
    join credit_reviews r on r.platform_id = q.platform_id and r.review_id = q.review_id
    where q.answered_at is null and r.status in ('DECIDED', 'WITHDRAWN')
      and ${isNotRelocating('q.platform_id')}
    order by q.requested_at limit ${limit}`.execute(db);
  return rows;
}

export interface AnsweredReview {
  buyer_external_id: string;
  /** Null if the review was requested on the buyer's own page. */
  order_external_id: string | null;
  email_sealed: Buffer;
  language: string;
  formality: string;
  /** Null for a review that was withdrawn because another one of the buyer was accepted. */
  outcome: 'ACCEPT' | 'REJECT' | null;
}

/** Claims the answer. Undefined if another transaction has claimed it. `now` in unix seconds. */
export async function takeAnswer(
  db: Db,
  { platformId, decisionId }: EndedReview,
  now: number,
): Promise<AnsweredReview | undefined> {
  const { rows } = await sql<AnsweredReview>`
    with due as materialized (
      select platform_id, decision_id, review_id from checkout_review_requests
      where platform_id = ${platformId} and decision_id = ${decisionId} and answered_at is null
      for no key update skip locked
    )
    update checkout_review_requests q set answered_at = ${now}
    from due join credit_reviews r on r.platform_id = due.platform_id and r.review_id = due.review_id
    where q.platform_id = due.platform_id and q.decision_id = due.decision_id
    returning r.buyer_external_id, q.order_external_id, q.email_sealed, q.language, q.formality, r.outcome`.execute(
    db,
  );
  return rows[0];
}
