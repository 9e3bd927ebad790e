/**
 * What persons do with a review. Each command runs in the caller's transaction, which then applies the outcome to the
 * facility, the order or the financing. The second of two concurrent commands waits and is then refused with the review's new status.
 */
import { randomUUID } from 'node:crypto';
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { assertActiveOperator } from '#modules/operators';
import {
  type BuyerReasonCode,
  type DecisionRow,
  findDecision,
  insertDecisions,
  lockReview,
  openReview,
  type ReasonCode,
  type ReviewRow,
  type ReviewTransition,
  type ReviewTrigger,
  reviewLifecycle,
  transitionReview,
  WITHOUT_POLICY,
} from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import {
  assertLimit,
  assertNoLimitOfInsolvency,
  assertProposal,
  assertReason,
  limitGrantedAlone,
} from './review.rules.ts';

/** Which review, and why the person acts. The person is the actor of the context. */
export interface ReviewInput {
  reviewId: string;
  reason: string;
}

/** A review that was decided in this transaction. */
export interface DecidedReview {
  review: ReviewRow;
  /** The record of the decision; null for an insolvency, which is not a credit decision. */
  decision: DecisionRow | null;
  reason: string;
}

/**
 * Opens a review of the policy's rejection, so that an override can be proposed. Returns its id. Throws NOT_FOUND if the
 * policy made no such rejection.
 */
export async function openReviewOfRejection(context: ChangeContext, decisionId: string): Promise<string> {
  const decision = await findDecision(context.db, context.platformId, decisionId);
  if (decision?.outcome !== 'REJECT' || decision.policy_version === null) throw notFound();
  const { outcome } = decision;
  return openReview(context, {
    subject: decision.subject,
    buyerExternalId: decision.buyer_external_id,
    orderExternalId: decision.order_external_id,
    currency: decision.currency,
    requestedMinor: decision.requested_minor,
    reasons: decision.reasons,
    decision: { decision_id: decisionId, outcome },
    proposedMinor: null,
    scriptedOutcome: null,
  });
}

/**
 * One person's decision. Without `limitMinor` an acceptance grants all that one person may. Throws NOT_FOUND,
 * INVALID_STATUS_TRANSITION unless the review is open, and OVERRIDE_REQUIRED beyond the policy's proposal and to lift an
 * insolvency.
 */
export async function decide(
  context: ChangeContext,
  input: ReviewInput & { outcome: 'ACCEPT' | 'REJECT'; limitMinor?: number | null },
): Promise<DecidedReview> {
  const { outcome, limitMinor = null } = input;
  if (limitMinor !== null) assertLimit(limitMinor);
  const review = await lockFor(context, input, 'decide');
  assertNoLimitOfInsolvency(review, limitMinor);
  const limit = outcome === 'ACCEPT' ? limitGrantedAlone(review, limitMinor) : null;
  return conclude(context, review, input, {
    trigger: 'decide',
    outcome,
    limitMinor: limit,
    reason: 'DECIDED_BY_PERSON',
    actor: context.actor,
    approvedBy: null,
  });
}

/** Proposes to accept beyond the policy, or to lift an insolvency. Nothing is granted until a second person approves. */
export async function propose(
  context: ChangeContext,
  input: ReviewInput & { limitMinor: number | null },
): Promise<ReviewRow> {
  const { limitMinor } = input;
  if (limitMinor !== null) assertLimit(limitMinor);
  const review = await lockFor(context, input, 'propose_override');
  assertProposal(review, limitMinor);
  return transition(context, review, {
    trigger: 'propose_override',
    reason: input.reason,
    limitMinor,
    changes: { proposed_limit_minor: limitMinor, proposed_by: context.actor },
  });
}

/**
 * Accepts with the proposed limit. Throws SECOND_PERSON_REQUIRED for the person who proposed it, and StartRefused if that
 * person is no longer an active operator.
 */
export async function approve(context: ChangeContext, input: ReviewInput): Promise<DecidedReview> {
  const review = await lockFor(context, input, 'approve_override');
  const proposer = review.proposed_by ?? '';
  if (proposer === context.actor)
    throw refusal('SECOND_PERSON_REQUIRED', 'The person who proposed an override cannot approve it');
  await assertActiveOperator(context, proposer, 'CREDIT');
  return conclude(context, review, input, {
    trigger: 'approve_override',
    outcome: 'ACCEPT',
    limitMinor: review.proposed_limit_minor,
    reason: 'OVERRIDDEN_BY_PERSONS',
    actor: proposer,
    approvedBy: context.actor,
  });
}

/**
 * Drops the proposal. The review is open again, and its history keeps the proposal. A script that fell due while it was
 * proposed becomes due now, because at its own instant it would decide before the proposal that it waited for.
 */
export async function refuse(context: ChangeContext, input: ReviewInput): Promise<ReviewRow> {
  const review = await lockFor(context, input, 'refuse_override');
  return transition(context, review, {
    trigger: 'refuse_override',
    reason: input.reason,
    limitMinor: review.proposed_limit_minor,
    changes: {
      proposed_limit_minor: null,
      proposed_by: null,
      scripted_at: review.scripted_at === null ? null : Math.max(review.scripted_at, context.now),
    },
  });
}

/** Ends a review without a decision. Returns undefined if it was decided before. */
export async function withdraw(
  context: ChangeContext,
  { reviewId, reason }: ReviewInput,
): Promise<ReviewRow | undefined> {
  const review = await lockReview(context.db, context.platformId, reviewId);
  const isUndecided = reviewLifecycle.transitions.some(
    ({ from, trigger }) => from === review?.status && trigger === 'withdraw',
  );
  return review && isUndecided
    ? transition(context, review, { trigger: 'withdraw', reason, limitMinor: null, changes: {} })
    : undefined;
}

/** Locks the review. Throws NOT_FOUND, and INVALID_STATUS_TRANSITION if its status has no such transition. */
async function lockFor(
  { db, platformId }: ChangeContext,
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
  { db, actor, now }: ChangeContext,
  review: ReviewRow,
  change: Omit<ReviewTransition, 'review' | 'actor' | 'now'>,
): Promise<ReviewRow> {
  return transitionReview(db, { ...change, review, actor, now });
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
  context: ChangeContext,
  review: ReviewRow,
  { reason }: ReviewInput,
  conclusion: Conclusion,
): Promise<DecidedReview> {
  const decision =
    review.subject === 'INSOLVENCY' ? null : await recordConclusion(context, review, reason, conclusion);
  const decided = await transition(context, review, {
    trigger: conclusion.trigger,
    reason,
    limitMinor: conclusion.limitMinor,
    changes: {
      outcome: conclusion.outcome,
      decided_limit_minor: conclusion.limitMinor,
      decided_by: context.actor,
      final_decision_id: decision?.decision_id ?? null,
    },
  });
  return { review: decided, decision, reason };
}

async function recordConclusion(
  { db, platformId, now }: ChangeContext,
  review: ReviewRow,
  reason: string,
  conclusion: Conclusion,
): Promise<DecisionRow> {
  const { decision_id: originalId } = review;
  const original = originalId === null ? undefined : await findDecision(db, platformId, originalId);
  const decision = decisionOf(review, { reason, now }, conclusion, original);
  await insertDecisions(db, [decision]);
  return decision;
}

/** A decision about the financing of an invoice says nothing about the buyer. */
const NOT_OF_THE_BUYER = { risk_band: null, price_class: null, buyer_reasons: [] };
/** An acceptance has the weakest band if the policy named none. */
const WEAKEST = { risk_band: 'D2', price_class: 'D' };

function decisionOf(
  review: ReviewRow,
  { reason, now }: { reason: string; now: number },
  conclusion: Conclusion,
  original: DecisionRow | undefined,
): DecisionRow {
  const isAccepted = conclusion.outcome === 'ACCEPT';
  const hasBand =
    original?.risk_band != null && original.risk_band !== 'REJECT' && original.price_class !== null;
  const accepted = hasBand ? { risk_band: original.risk_band, price_class: original.price_class } : WEAKEST;
  const buyerReason: BuyerReasonCode = isAccepted ? 'LIMIT_GRANTED' : 'NOT_POSSIBLE_NOW';
  const verdict = {
    ...(isAccepted ? accepted : { risk_band: 'REJECT', price_class: null }),
    buyer_reasons: [buyerReason],
  };
  return {
    platform_id: review.platform_id,
    decision_id: randomUUID(),
    subject: review.subject as DecisionRow['subject'],
    buyer_external_id: review.buyer_external_id,
    order_external_id: review.order_external_id,
    service_external_id: review.service_external_id,
    outcome: conclusion.outcome,
    currency: review.currency,
    limit_minor: conclusion.limitMinor,
    requested_minor: review.requested_minor,
    ...(review.subject === 'FINANCING' ? NOT_OF_THE_BUYER : verdict),
    reasons: [conclusion.reason],
    ...WITHOUT_POLICY,
    overrides: original?.decision_id ?? null,
    comment: reason,
    actor: conclusion.actor,
    approved_by: conclusion.approvedBy,
    decided_at: now,
  };
}
