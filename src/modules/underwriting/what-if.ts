/** Judges the inputs of a past decision again by its own policy, and compares two verdicts. */
import { minorUnitsOf } from './assessment.rules.ts';
import type { PolicyRow } from './credit-policy.queries.ts';
import type { DecisionRow } from './decision.queries.ts';
import { evaluatePolicy, type RuleFired } from './policy/evaluate-policy.ts';
import { PolicyFailed } from './policy/policy-failed.ts';
import type { PolicyInputs } from './policy.schemas.ts';
import { internalReasons } from './show-decisions.ts';
import type { WhatIfComparison, WhatIfVerdict } from './what-if.schemas.ts';

/** A policy without a valid answer refers to a person, as in an assessment. */
const FAILED = {
  outcome: 'REFER',
  limit_amount: null,
  risk_band: null,
  price_class: null,
  reasons: internalReasons(['POLICY_ERROR']),
  buyer_reasons: ['NEEDS_REVIEW'],
  rules_fired: [],
} satisfies Partial<WhatIfVerdict>;

/** The verdict of the policy on these inputs. Returns a failure of the policy as a referral. */
export async function verdictOn(
  policy: PolicyRow,
  decision: DecisionRow,
  inputs: PolicyInputs,
): Promise<WhatIfVerdict> {
  try {
    const { limit, reasons, rulesFired, ...verdict } = await evaluatePolicy(policy, inputs);
    const limitMinor = limit === null ? null : minorUnitsOf(limit, inputs.currency);
    if (limit !== null && limitMinor === null)
      return { ...FAILED, failure: 'The limit of the answer is above the largest amount.' };
    return {
      outcome: verdict.outcome,
      limit_amount:
        verdict.outcome === 'REJECT' ? null : atMost(limitMinor, requestedMinorOf(decision, inputs)),
      risk_band: verdict.risk_band,
      price_class: verdict.price_class,
      reasons: internalReasons(reasons),
      buyer_reasons: verdict.buyer_reasons,
      rules_fired: rulesFired,
      failure: null,
    };
  } catch (error) {
    if (!(error instanceof PolicyFailed)) throw error;
    return { ...FAILED, failure: error.message };
  }
}

function atMost(limitMinor: number | null, requestedMinor: number | null): number | null {
  return limitMinor === null || requestedMinor === null ? limitMinor : Math.min(limitMinor, requestedMinor);
}

/** The requested amount to the cent, unless the inputs name another amount or currency. */
function requestedMinorOf(
  decision: DecisionRow,
  { requested_amount, currency }: PolicyInputs,
): number | null {
  const isUnchanged =
    requested_amount === decision.inputs?.requested_amount && currency === decision.inputs?.currency;
  if (isUnchanged) return decision.requested_minor;
  return requested_amount === null ? null : minorUnitsOf(requested_amount, currency);
}

type Verdicts = Pick<WhatIfComparison, 'before' | 'after' | 'rules_only_before' | 'rules_only_after'>;

/** Two verdicts side by side, with the rules that only one of them fires. */
export function compareVerdicts(before: WhatIfVerdict, after: WhatIfVerdict): Verdicts {
  return {
    before,
    after,
    rules_only_before: without(before.rules_fired, after.rules_fired),
    rules_only_after: without(after.rules_fired, before.rules_fired),
  };
}

function without(rules: RuleFired[], others: RuleFired[]): RuleFired[] {
  return rules.filter(
    ({ node, rule }) => !others.some((other) => other.node === node && other.rule === rule),
  );
}
