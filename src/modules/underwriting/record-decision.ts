/** Writes what was assessed, in the transaction that acts on it. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { Assessment } from './assess.ts';
import { insertDecisions } from './decision.queries.ts';
import { insertReviews } from './review.queries.ts';
import { scriptedColumns } from './review.rules.ts';

export interface Recorded {
  decisionId: string;
  /** The case that a referral opened. */
  reviewId: string | null;
}

/** `actor` asked for the decision; `now` in unix seconds. The decision itself was the policy's. */
export async function recordDecision(
  db: Db,
  assessment: Assessment,
  { actor, now }: { actor: string; now: number },
): Promise<Recorded> {
  const { application, outcome, limitMinor, reviewEnds } = assessment;
  const decisionId = randomUUID();
  const common = {
    platform_id: application.platformId,
    subject: application.subject,
    buyer_external_id: application.buyerExternalId,
    order_external_id: null,
    decision_id: decisionId,
    currency: application.currency,
    requested_minor: application.requestedMinor,
    limit_minor: limitMinor,
    reasons: assessment.reasons,
  };
  await insertDecisions(db, [
    {
      ...common,
      outcome,
      risk_band: assessment.riskBand,
      price_class: assessment.priceClass,
      buyer_reasons: assessment.buyerReasons,
      policy_version: assessment.policyVersion,
      inputs: assessment.inputs,
      sources: assessment.sources,
      rules_fired: assessment.rulesFired,
      script: assessment.script,
      overrides: null,
      comment: null,
      actor,
      approved_by: null,
      decided_at: now,
    },
  ]);
  if (outcome !== 'REFER') return { decisionId, reviewId: null };
  const reviewId = randomUUID();
  const review = {
    ...common,
    review_id: reviewId,
    automatic_outcome: outcome,
    opened_at: now,
    ...scriptedColumns(reviewEnds, now),
  };
  await insertReviews(db, [review], actor);
  return { decisionId, reviewId };
}
