/**
 * What persons do with a case. Each runs in the caller's transaction, which then applies the outcome to the facility or
 * the order; whoever comes second waits for the first, and is told what the case has become.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { type DecisionRow, findDecision, insertDecisions } from './decision.queries.ts';
import type { BuyerReasonCode, ReasonCode } from './reason.codes.ts';
import { type ReviewTrigger, reviewLifecycle } from './review.lifecycle.ts';
import {
  insertReviews,
  lockReview,
  lockReviewsOfOrders,
  type ReviewRow,
  type ReviewTransition,
  transitionReview,
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
export interface ReviewInput {
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
export async function recordReviewDecision(
  db: Db,
  platformId: number,
  request: ReviewInput & { outcome: 'ACCEPT' | 'REJECT'; limitMinor?: number | null },
): Promise<DecidedReview> {
  const { outcome, limitMinor = null } = request;
  if (limitMinor !== null) assertLimit(limitMinor);
  const review = await lockFor(db, platformId, request, 'decide');
  const limit = outcome === 'ACCEPT' ? limitGrantedAlone(review, limitMinor) : null;
  return conclude(db, review, request, {
    trigger: 'decide',
    outcome,
    limitMinor: limit,
    reason: 'DECIDED_BY_PERSON',
    actor: request.by,
    approvedBy: null,
  });
}

/** Proposes to accept beyond the policy: nothing is granted until somebody else approves. */
export async function recordOverrideProposal(
  db: Db,
  platformId: number,
  request: ReviewInput & { limitMinor: number },
): Promise<ReviewRow> {
  assertLimit(request.limitMinor);
  const review = await lockFor(db, platformId, request, 'propose_override');
  return transition(db, review, request, 'propose_override', request.limitMinor, {
    proposed_limit_minor: request.limitMinor,
    proposed_by: request.by,
  });
}

/** 422 SECOND_PERSON_REQUIRED for the one who proposed it. */
export async function recordApproval(
  db: Db,
  platformId: number,
  request: ReviewInput,
): Promise<DecidedReview> {
  const review = await lockFor(db, platformId, request, 'approve_override');
  const proposer = review.proposed_by ?? '';
  if (isSamePerson(proposer, request.by))
    throw refusal('SECOND_PERSON_REQUIRED', 'Who proposed an override cannot approve it');
  return conclude(db, review, request, {
    trigger: 'approve_override',
    outcome: 'ACCEPT',
    limitMinor: review.proposed_limit_minor,
    reason: 'OVERRIDDEN_BY_PERSONS',
    actor: proposer,
    approvedBy: request.by,
  });
}

/**
 * The case is open again, as if nothing had been proposed; its history keeps the proposal. A script that fell due
 * meanwhile is due now: as of then, it would decide before the proposal that it waited for.
 */
export async function recordOverrideRefusal(
  db: Db,
  platformId: number,
  request: ReviewInput,
): Promise<ReviewRow> {
  const review = await lockFor(db, platformId, request, 'refuse_override');
  return transition(db, review, request, 'refuse_override', review.proposed_limit_minor, {
    proposed_limit_minor: null,
    proposed_by: null,
    scripted_at: review.scripted_at === null ? null : Math.max(review.scripted_at, request.now),
  });
}

/** Ends the undecided cases about these orders: there is nothing left to decide. Answers them. */
export async function withdrawReviewsOfOrders(
  db: Db,
  platformId: number,
  orderExternalIds: readonly string[],
  { by, reason, now }: Omit<ReviewInput, 'reviewId'>,
): Promise<ReviewRow[]> {
  const withdrawn: ReviewRow[] = [];
  // An order has one case: there are as many statements as there are cases to end.
  for (const review of await lockReviewsOfOrders(db, platformId, orderExternalIds))
    withdrawn.push(await transition(db, review, { by, reason, now }, 'withdraw', null, {}));
  return withdrawn;
}

/** The same of one case. Undefined where it was decided meanwhile. */
export async function withdrawReview(
  db: Db,
  platformId: number,
  request: ReviewInput,
): Promise<ReviewRow | undefined> {
  const review = await lockReview(db, platformId, request.reviewId);
  const isUndecided = reviewLifecycle.transitions.some(
    ({ from, trigger }) => from === review?.status && trigger === 'withdraw',
  );
  return review && isUndecided ? transition(db, review, request, 'withdraw', null, {}) : undefined;
}

/** The case, locked, where the lifecycle has such a move from its status. */
async function lockFor(
  db: Db,
  platformId: number,
  { reviewId, reason }: ReviewInput,
  trigger: ReviewTrigger,
): Promise<ReviewRow> {
  assertReason(reason);
  const review = await lockReview(db, platformId, reviewId);
  if (!review) throw notFound();
  transitionOf(reviewLifecycle, review.status, trigger);
  return review;
}

function transition(
  db: Db,
  review: ReviewRow,
  { by, reason, now }: Omit<ReviewInput, 'reviewId'>,
  trigger: ReviewTrigger,
  limitMinor: number | null,
  changes: ReviewTransition['changes'],
): Promise<ReviewRow> {
  return transitionReview(db, { review, trigger, changes, limitMinor, actor: by, reason, now });
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
  request: ReviewInput,
  conclusion: Conclusion,
): Promise<DecidedReview> {
  const original =
    review.decision_id === null ? undefined : await findDecision(db, review.platform_id, review.decision_id);
  const decision = decisionOf(review, request, conclusion, original);
  await insertDecisions(db, [decision]);
  const decided = await transition(db, review, request, conclusion.trigger, conclusion.limitMinor, {
    outcome: conclusion.outcome,
    decided_limit_minor: conclusion.limitMinor,
    decided_by: request.by,
    final_decision_id: decision.decision_id,
  });
  return { review: decided, decision };
}

/** Where the policy named no band, a person's acceptance has the weakest. */
const WEAKEST = { risk_band: 'D2', price_class: 'D' };

function decisionOf(
  review: ReviewRow,
  { reason, now }: ReviewInput,
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
