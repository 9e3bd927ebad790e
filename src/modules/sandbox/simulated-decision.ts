/** The decision of a simulator, recorded like any other. It ends the undecided reviews of the same subject. */
import { randomUUID } from 'node:crypto';
import type { Currency } from '#kernel/currency';
import type { DecisionReference } from '#modules/facilities';
import {
  type BuyerReasonCode,
  insertDecisions,
  listUndecidedReviews,
  lockReview,
  type PriceClass,
  type ReasonCode,
  type ReviewRow,
  type RiskBand,
  type Subject,
  transitionReview,
  WITHOUT_POLICY,
} from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';

export interface Simulation {
  subject: Subject;
  buyerExternalId: string;
  orderExternalId: string | null;
  currency: Currency;
  /** The accepted terms, the limit in minor units; null rejects. */
  accepted: { limitMinor: number; riskBand: RiskBand; priceClass: PriceClass } | null;
}

const REASON = 'Decided by a simulator of the sandbox.';

/** Records the decision and returns it. Call it before the facility is locked, because reviews are locked first. */
export async function recordSimulation(
  context: ChangeContext,
  simulation: Simulation,
): Promise<DecisionReference> {
  const { db, platformId, actor, now } = context;
  const decisionId = randomUUID();
  const reviews = await lockUndecided(context, simulation);
  const { accepted } = simulation;
  const reason: ReasonCode = 'SANDBOX_SIMULATOR';
  const buyerReason: BuyerReasonCode = accepted ? 'LIMIT_GRANTED' : 'NOT_POSSIBLE_NOW';
  await insertDecisions(db, [
    {
      platform_id: platformId,
      decision_id: decisionId,
      subject: simulation.subject,
      buyer_external_id: simulation.buyerExternalId,
      order_external_id: simulation.orderExternalId,
      service_external_id: null,
      outcome: accepted ? 'ACCEPT' : 'REJECT',
      currency: simulation.currency,
      limit_minor: accepted?.limitMinor ?? null,
      requested_minor: reviews[0]?.requested_minor ?? null,
      risk_band: accepted?.riskBand ?? 'REJECT',
      price_class: accepted?.priceClass ?? null,
      reasons: [reason],
      buyer_reasons: [buyerReason],
      ...WITHOUT_POLICY,
      overrides: reviews[0]?.decision_id ?? null,
      comment: REASON,
      actor,
      approved_by: null,
      decided_at: now,
    },
  ]);
  for (const review of reviews) await end(context, review, simulation, decisionId);
  return { decisionId, buyerReasons: [buyerReason] };
}

/** The undecided reviews of the subject: at most one, and reviews of rejections. */
async function lockUndecided(
  { db, platformId }: ChangeContext,
  simulation: Simulation,
): Promise<ReviewRow[]> {
  const { subject, buyerExternalId, orderExternalId } = simulation;
  const undecided = await listUndecidedReviews(db, platformId, buyerExternalId);
  const items = undecided.filter(
    (review) =>
      review.subject === subject &&
      (orderExternalId === null || review.order_external_id === orderExternalId),
  );
  const locked: ReviewRow[] = [];
  // Sorted, so that two simulators cannot deadlock.
  for (const { review_id } of items.sort((one, other) => (one.review_id < other.review_id ? -1 : 1))) {
    const review = await lockReview(db, platformId, review_id);
    if (review && UNDECIDED.some((status) => status === review.status)) locked.push(review);
  }
  return locked;
}

const UNDECIDED = ['OPEN', 'AWAITING_APPROVAL'] as const;

async function end(
  { db, actor, now }: ChangeContext,
  review: ReviewRow,
  { accepted }: Simulation,
  decisionId: string,
): Promise<void> {
  const by = { limitMinor: accepted?.limitMinor ?? null, actor, reason: REASON, now };
  const nothingProposed = { proposed_limit_minor: null, proposed_by: null };
  const open =
    review.status === 'AWAITING_APPROVAL'
      ? await transitionReview(db, { ...by, review, trigger: 'refuse_override', changes: nothingProposed })
      : review;
  await transitionReview(db, {
    ...by,
    review: open,
    trigger: 'decide',
    changes: {
      outcome: accepted ? 'ACCEPT' : 'REJECT',
      decided_limit_minor: by.limitMinor,
      decided_by: actor,
      final_decision_id: decisionId,
    },
  });
}
