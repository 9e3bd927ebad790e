import { notFound, refusal } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { findPolicyVersion, type PolicyRow } from '../credit-policy.queries.ts';
import { findVisibleDecision } from '../decision.queries.ts';
import { DecisionParams, EXAMPLE_DECISION_ID } from '../decision.schemas.ts';
import type { PolicyInputs } from '../policy.schemas.ts';
import { WhatIf, WhatIfComparison } from '../what-if.schemas.ts';
import { compareVerdicts, verdictOn } from '../what-if.ts';

export const evaluateWhatIf = operation({
  id: 'evaluateWhatIf',
  summary: 'Evaluate a decision with other inputs',
  description:
    'The policy version of the decision judges its stored inputs, and the same inputs with some of them replaced. The answer ' +
    'has both verdicts. Nothing is stored. Sandbox scripts do not affect the verdicts.',
  tag: 'Facilities',
  scope: 'credit:read',
  effect: 'read',
  params: DecisionParams,
  body: WhatIf,
  status: 200,
  response: WhatIfComparison,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'DECISION_WITHOUT_POLICY'],
  example: {
    params: { decision_id: EXAMPLE_DECISION_ID },
    body: { inputs: { orders_closed: 5, days_past_due_max: 90 } },
  },
  async run({ db, platformId, caller }, { params, body }) {
    assertPlatformWide(caller);
    const decision = await findVisibleDecision(db, platformId, params.decision_id, caller);
    if (!decision) throw notFound();
    const { inputs: stored, policy_version: version } = decision;
    if (stored === null || version === null)
      throw refusal('DECISION_WITHOUT_POLICY', 'No policy made this decision', {
        replaces: decision.overrides,
      });
    const policy = (await findPolicyVersion(db, platformId, version)) as PolicyRow;
    const replaced = { ...stored, ...(body.inputs as Partial<PolicyInputs>) };
    const [before, after] = await Promise.all([
      verdictOn(policy, decision, stored),
      verdictOn(policy, decision, replaced),
    ]);
    return {
      body: {
        decision_id: decision.decision_id,
        policy_version: version,
        inputs: Object.keys(body.inputs).map((name) => ({
          name,
          before: stored[name as keyof PolicyInputs] ?? null,
          after: replaced[name as keyof PolicyInputs],
        })),
        ...compareVerdicts(before, after),
      },
    };
  },
});
