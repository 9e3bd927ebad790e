/** Judges a past decision again by its own policy, on today's facts. */
import type { Db } from '#infra/database/database';
import { findPolicyVersion, type PolicyRow } from './credit-policy.queries.ts';
import type { DecisionRow } from './decision.queries.ts';
import { evaluatePolicy } from './policy/evaluate-policy.ts';
import { PolicyFailed } from './policy/policy-failed.ts';
import type { CreditOutcome, PolicyInputs } from './policy.schemas.ts';
import type { BuyerReasonCode, ReasonCode } from './reason.codes.ts';
import { completeInputs } from './stored-inputs.rules.ts';

/** A decision that a policy made, not a script or a person. */
export type PolicyDecision = DecisionRow & { inputs: PolicyInputs; policy_version: number };

export function isByPolicy(decision: DecisionRow): decision is PolicyDecision {
  return decision.inputs !== null && decision.policy_version !== null && decision.script === null;
}

export interface SecondVerdict {
  outcome: CreditOutcome;
  reasons: readonly ReasonCode[];
  buyerReasons: readonly BuyerReasonCode[];
  /** Columns for the record of a decision that is based on this verdict. */
  columns: Pick<DecisionRow, 'policy_version' | 'inputs' | 'rules_fired'>;
}

/** The policy's answer to the inputs of a decision with some replaced. A failure of the policy is a referral. */
export async function judgeAgain(
  db: Db,
  decision: PolicyDecision,
  replaced: Partial<PolicyInputs>,
): Promise<SecondVerdict> {
  const { platform_id: platformId, policy_version } = decision;
  const policy = (await findPolicyVersion(db, platformId, policy_version)) as PolicyRow;
  const inputs = { ...completeInputs(decision.inputs), ...replaced };
  try {
    const {
      outcome,
      reasons,
      buyer_reasons: buyerReasons,
      rulesFired,
    } = await evaluatePolicy(policy, inputs);
    return { outcome, reasons, buyerReasons, columns: { policy_version, inputs, rules_fired: rulesFired } };
  } catch (error) {
    if (!(error instanceof PolicyFailed)) throw error;
    const columns = { policy_version, inputs, rules_fired: [] };
    return { outcome: 'REFER', reasons: ['POLICY_ERROR'], buyerReasons: ['NEEDS_REVIEW'], columns };
  }
}
