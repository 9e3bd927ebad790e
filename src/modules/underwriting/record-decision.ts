/** Writes an assessment, in the transaction that acts on it. */
import type { ChangeContext } from '#operation/operation';
import type { Assessment } from './assess.ts';
import { insertDecisions } from './decision.queries.ts';
import { openReview } from './open-review.ts';

export interface RecordedDecision {
  decisionId: string;
  /** The review that a referral opened. */
  reviewId: string | null;
}

/** Records the policy's decision; a referral opens its review. The actor of the context requested the decision. */
export async function recordDecision(
  context: ChangeContext,
  assessment: Assessment,
): Promise<RecordedDecision> {
  const { decisionId, application, outcome, limitMinor, reasons } = assessment;
  await insertDecisions(context.db, [
    {
      platform_id: application.platformId,
      decision_id: decisionId,
      subject: application.subject,
      buyer_external_id: application.buyerExternalId,
      order_external_id: null,
      service_external_id: null,
      outcome,
      currency: application.currency,
      limit_minor: limitMinor,
      requested_minor: application.requestedMinor,
      risk_band: assessment.riskBand,
      price_class: assessment.priceClass,
      reasons,
      buyer_reasons: assessment.buyerReasons,
      policy_version: assessment.policyVersion,
      inputs: assessment.inputs,
      sources: assessment.sources,
      rules_fired: assessment.rulesFired,
      script: assessment.script,
      overrides: null,
      comment: null,
      actor: context.actor,
      approved_by: null,
      decided_at: context.now,
      assessed_ms: assessment.assessedMs,
    },
  ]);
  if (outcome !== 'REFER') return { decisionId, reviewId: null };
  const reviewId = await openReview(context, {
    subject: application.subject,
    buyerExternalId: application.buyerExternalId,
    orderExternalId: null,
    currency: application.currency,
    requestedMinor: application.requestedMinor,
    reasons,
    decision: { decision_id: decisionId, outcome },
    proposedMinor: limitMinor,
    scriptedOutcome: assessment.reviewEnds,
  });
  return { decisionId, reviewId };
}
