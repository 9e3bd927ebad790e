/** What a simulator of the sandbox decides, recorded like any decision; a case about the same ends with it. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { insertDecisions } from './decision.queries.ts';
import type { PriceClass, RiskBand, Subject } from './policy.schemas.ts';
import type { BuyerReasonCode, ReasonCode } from './reason.codes.ts';
import { listReviewRows, lockReview, type ReviewRow, transitionReview } from './review.queries.ts';

export interface Simulation {
  platformId: number;
  subject: Subject;
  buyerExternalId: string;
  orderExternalId: string | null;
  currency: Currency;
  /** To accept: with what; minor units. Null: to reject. */
  accepted: { limitMinor: number; riskBand: RiskBand; priceClass: PriceClass } | null;
  actor: string;
  /** Unix seconds. */
  now: number;
}

const REASON = 'Decided by a simulator of the sandbox.';

/** Answers the id of the decision. Before the facility is locked: whoever decides a case locks it first. */
export async function recordSimulation(db: Db, simulation: Simulation): Promise<string> {
  const decisionId = randomUUID();
  const reviews = await lockUndecided(db, simulation);
  const { accepted } = simulation;
  const reason: ReasonCode = 'SANDBOX_SIMULATOR';
  const buyerReason: BuyerReasonCode = accepted ? 'LIMIT_GRANTED' : 'NOT_POSSIBLE_NOW';
  await insertDecisions(db, [
    {
      platform_id: simulation.platformId,
      decision_id: decisionId,
      subject: simulation.subject,
      buyer_external_id: simulation.buyerExternalId,
      order_external_id: simulation.orderExternalId,
      outcome: accepted ? 'ACCEPT' : 'REJECT',
      currency: simulation.currency,
      limit_minor: accepted?.limitMinor ?? null,
      requested_minor: reviews[0]?.requested_minor ?? null,
      risk_band: accepted?.riskBand ?? 'REJECT',
      price_class: accepted?.priceClass ?? null,
      reasons: [reason],
      buyer_reasons: [buyerReason],
      policy_version: null,
      inputs: null,
      sources: [],
      rules_fired: [],
      script: null,
      overrides: reviews[0]?.decision_id ?? null,
      comment: REASON,
      actor: simulation.actor,
      approved_by: null,
      decided_at: simulation.now,
    },
  ]);
  for (const review of reviews) await end(db, review, simulation, decisionId);
  return decisionId;
}

/** There is one at most, but for refusals that somebody goes against. */
async function lockUndecided(db: Db, simulation: Simulation): Promise<ReviewRow[]> {
  const { platformId, subject, buyerExternalId, orderExternalId } = simulation;
  const filter = {
    status: UNDECIDED,
    subject: [subject],
    buyer_external_id: [buyerExternalId],
    ...(orderExternalId !== null && { order_external_id: [orderExternalId] }),
  };
  const { items } = await listReviewRows(db, platformId, filter, { limit: 100, offset: 0 });
  const locked: ReviewRow[] = [];
  // In one order, so that two simulators cannot wait for each other.
  for (const { review_id } of items.sort((one, other) => (one.review_id < other.review_id ? -1 : 1))) {
    const review = await lockReview(db, platformId, review_id);
    if (review && UNDECIDED.some((status) => status === review.status)) locked.push(review);
  }
  return locked;
}

const UNDECIDED = ['OPEN', 'AWAITING_APPROVAL'] as const;

async function end(
  db: Db,
  review: ReviewRow,
  { accepted, actor, now }: Simulation,
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
