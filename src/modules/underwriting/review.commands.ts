/**
 * What persons do with a case. Each runs in the caller's transaction, which then applies the outcome to the facility or
 * the order; whoever comes second waits for the first, and is told what the case has become.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database';
import type { Currency } from '#kernel/currency';
import { moveOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { type DecisionRow, findDecision, insertDecisions } from './decision.queries.ts';
import type { BuyerReasonCode, ReasonCode } from './reason.codes.ts';
import { type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';
import {
  insertReviews,
  lockReview,
  lockReviewsOfOrders,
  moveReview,
  type ReviewMove,
  type ReviewRow,
} from './review.queries.ts';
import {
  assertLimit,
  assertReason,
  isSamePerson,
  limitGrantedAlone,
  scriptedColumns,
} from './review.rules.ts';
import { reviewEndOf, type Script } from './sandbox-script.rules.ts';

/** Who does what to which case. `now` in unix seconds. */
export interface ReviewWish {
  reviewId: string;
  by: string;
  reason: string;
  now: number;
}

/** A case that is decided now, with the record of it. */
export interface DecidedReview {
  review: ReviewRow;
  decision: DecisionRow;
}

export interface ReviewOpening {
  subject: ReviewRow['subject'];
  buyerExternalId: string;
  orderExternalId: string | null;
  currency: Currency;
  /** What it is about, in minor units: an order's gross amount. */
  requestedMinor: number | null;
  reasons: readonly ReasonCode[];
  /** Of the sandbox: how the case ends by itself. */
  script?: Script | null;
  actor: string;
  now: number;
}

/** Opens a case that no policy referred, such as an order that is to be looked at. Answers its id. */
export async function openReview(db: Db, platformId: number, opening: ReviewOpening): Promise<string> {
  const review_id = randomUUID();
  const review = {
    platform_id: platformId,
    review_id,
    subject: opening.subject,
    buyer_external_id: opening.buyerExternalId,
    order_external_id: opening.orderExternalId,
    decision_id: null,
    automatic_outcome: null,
    currency: opening.currency,
    requested_minor: opening.requestedMinor,
    limit_minor: null,
    reasons: [...opening.reasons],
    opened_at: opening.now,
    ...scriptedColumns(opening.script ? reviewEndOf(opening.script) : null, opening.now),
  };
  await insertReviews(db, [review], opening.actor);
  return review_id;
}

/** Opens a case against what the policy refused, for an override to be proposed. Answers its id; 404 where there is none. */
export async function openReviewOfRejection(
  db: Db,
  platformId: number,
  { decisionId, actor, now }: { decisionId: string; actor: string; now: number },
): Promise<string> {
  const decision = await findDecision(db, platformId, decisionId);
  if (decision?.outcome !== 'REJECT' || decision.policy_version === null) throw notFound();
  const review = {
    platform_id: platformId,
    review_id: randomUUID(),
    subject: decision.subject,
    buyer_external_id: decision.buyer_external_id,
    order_external_id: decision.order_external_id,
    decision_id: decisionId,
    automatic_outcome: decision.outcome,
    currency: decision.currency,
    requested_minor: decision.requested_minor,
    limit_minor: null,
    reasons: decision.reasons,
    opened_at: now,
    scripted_outcome: null,
    scripted_at: null,
  };
  await insertReviews(db, [review], actor);
  return review.review_id;
}

/**
 * One person's decision. `limitMinor` left out is all that one person may grant. 404, 409 for a case that is not open,
 * 422 OVERRIDE_REQUIRED beyond what the policy proposed.
 */
export async function decideReview(
  db: Db,
  platformId: number,
  wish: ReviewWish & { outcome: 'ACCEPT' | 'REJECT'; limitMinor?: number | null },
): Promise<DecidedReview> {
  const { outcome, limitMinor = null } = wish;
  if (limitMinor !== null) assertLimit(limitMinor);
  const review = await lockFor(db, platformId, wish, 'decide');
  const limit = outcome === 'ACCEPT' ? limitGrantedAlone(review, limitMinor) : null;
  return conclude(db, review, wish, {
    trigger: 'decide',
    outcome,
    limitMinor: limit,
    reason: 'DECIDED_BY_PERSON',
    actor: wish.by,
    approvedBy: null,
  });
}

/** Proposes to accept beyond the policy: nothing is granted until somebody else approves. */
export async function proposeOverride(
  db: Db,
  platformId: number,
  wish: ReviewWish & { limitMinor: number },
): Promise<ReviewRow> {
  assertLimit(wish.limitMinor);
  const review = await lockFor(db, platformId, wish, 'propose_override');
  return move(db, review, wish, 'propose_override', wish.limitMinor, {
    proposed_limit_minor: wish.limitMinor,
    proposed_by: wish.by,
  });
}

/** 422 SECOND_PERSON_REQUIRED for the one who proposed it. */
export async function approveOverride(db: Db, platformId: number, wish: ReviewWish): Promise<DecidedReview> {
  const review = await lockFor(db, platformId, wish, 'approve_override');
  const proposer = review.proposed_by ?? '';
  if (isSamePerson(proposer, wish.by))
    throw refusal('SECOND_PERSON_REQUIRED', 'Who proposed an override cannot approve it');
  return conclude(db, review, wish, {
    trigger: 'approve_override',
    outcome: 'ACCEPT',
    limitMinor: review.proposed_limit_minor,
    reason: 'OVERRIDDEN_BY_PERSONS',
    actor: proposer,
    approvedBy: wish.by,
  });
}

/**
 * The case is open again, as if nothing had been proposed; its history keeps the proposal. A script that fell due
 * meanwhile is due now: as of then, it would decide before the proposal that it waited for.
 */
export async function refuseOverride(db: Db, platformId: number, wish: ReviewWish): Promise<ReviewRow> {
  const review = await lockFor(db, platformId, wish, 'refuse_override');
  return move(db, review, wish, 'refuse_override', review.proposed_limit_minor, {
    proposed_limit_minor: null,
    proposed_by: null,
    scripted_at: review.scripted_at === null ? null : Math.max(review.scripted_at, wish.now),
  });
}

/** Ends the undecided cases about these orders: there is nothing left to decide. Answers them. */
export async function withdrawReviewsOfOrders(
  db: Db,
  platformId: number,
  orderExternalIds: readonly string[],
  { by, reason, now }: Omit<ReviewWish, 'reviewId'>,
): Promise<ReviewRow[]> {
  const withdrawn: ReviewRow[] = [];
  // An order has one case: there are as many statements as there are cases to end.
  for (const review of await lockReviewsOfOrders(db, platformId, orderExternalIds))
    withdrawn.push(await move(db, review, { by, reason, now }, 'withdraw', null, {}));
  return withdrawn;
}

/** The same of one case. Undefined where it was decided meanwhile. */
export async function withdrawReview(
  db: Db,
  platformId: number,
  wish: ReviewWish,
): Promise<ReviewRow | undefined> {
  const review = await lockReview(db, platformId, wish.reviewId);
  const isUndecided = reviewLifecycle.moves.some(
    ({ from, trigger }) => from === review?.status && trigger === 'withdraw',
  );
  return review && isUndecided ? move(db, review, wish, 'withdraw', null, {}) : undefined;
}

/** The case, locked, where the lifecycle has such a move from its status. */
async function lockFor(
  db: Db,
  platformId: number,
  { reviewId, reason }: ReviewWish,
  trigger: ReviewTrigger,
): Promise<ReviewRow> {
  assertReason(reason);
  const review = await lockReview(db, platformId, reviewId);
  if (!review) throw notFound();
  moveOf(reviewLifecycle, review.status, trigger);
  return review;
}

function move(
  db: Db,
  review: ReviewRow,
  { by, reason, now }: Omit<ReviewWish, 'reviewId'>,
  trigger: ReviewTrigger,
  limitMinor: number | null,
  changes: ReviewMove['changes'],
): Promise<ReviewRow> {
  return moveReview(db, { review, trigger, changes, limitMinor, actor: by, reason, now });
}

interface Conclusion {
  trigger: ReviewTrigger;
  outcome: 'ACCEPT' | 'REJECT';
  limitMinor: number | null;
  reason: ReasonCode;
  actor: string;
  approvedBy: string | null;
}

async function conclude(
  db: Db,
  review: ReviewRow,
  wish: ReviewWish,
  conclusion: Conclusion,
): Promise<DecidedReview> {
  const original =
    review.decision_id === null ? undefined : await findDecision(db, review.platform_id, review.decision_id);
  const decision = decisionOf(review, wish, conclusion, original);
  await insertDecisions(db, [decision]);
  const decided = await move(db, review, wish, conclusion.trigger, conclusion.limitMinor, {
    outcome: conclusion.outcome,
    decided_limit_minor: conclusion.limitMinor,
    decided_by: wish.by,
    final_decision_id: decision.decision_id,
  });
  return { review: decided, decision };
}

/** Where the policy named no band, a person's acceptance has the weakest. */
const WEAKEST = { risk_band: 'D2', price_class: 'D' };

function decisionOf(
  review: ReviewRow,
  { reason, now }: ReviewWish,
  conclusion: Conclusion,
  original: DecisionRow | undefined,
): DecisionRow {
  const isAccepted = conclusion.outcome === 'ACCEPT';
  const hasBand =
    original?.risk_band != null && original.risk_band !== 'REJECT' && original.price_class !== null;
  const accepted = hasBand ? { risk_band: original.risk_band, price_class: original.price_class } : WEAKEST;
  const buyerReason: BuyerReasonCode = isAccepted ? 'LIMIT_GRANTED' : 'NOT_POSSIBLE_NOW';
  return {
    platform_id: review.platform_id,
    decision_id: randomUUID(),
    subject: review.subject,
    buyer_external_id: review.buyer_external_id,
    order_external_id: review.order_external_id,
    outcome: conclusion.outcome,
    currency: review.currency,
    limit_minor: conclusion.limitMinor,
    requested_minor: review.requested_minor,
    ...(isAccepted ? accepted : { risk_band: 'REJECT', price_class: null }),
    reasons: [conclusion.reason],
    buyer_reasons: [buyerReason],
    policy_version: null,
    inputs: null,
    sources: [],
    rules_fired: [],
    script: null,
    overrides: original?.decision_id ?? null,
    comment: reason,
    actor: conclusion.actor,
    approved_by: conclusion.approvedBy,
    decided_at: now,
  };
}
