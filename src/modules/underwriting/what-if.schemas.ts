import { type Static, Type } from 'typebox';
import { closed, LISTS_FIELDS, minorUnits, nullable } from '#kernel/fields';
import {
  BuyerReasonSchema,
  DecisionIdSchema,
  FiredRule,
  INPUT_SCHEMAS,
  InternalReason,
  OutcomeSchema,
  PriceClassSchema,
  RiskBandSchema,
} from './decision.schemas.ts';

/** Any of the inputs of a policy. The issue of an unknown name lists them. */
const WhatIfInputs = {
  ...closed(
    Object.fromEntries(Object.entries(INPUT_SCHEMAS).map(([name, schema]) => [name, Type.Optional(schema)])),
    'WhatIfInputs',
  ),
  [LISTS_FIELDS]: true,
};

export const WhatIf = closed(
  {
    inputs: {
      ...WhatIfInputs,
      description: 'The inputs to replace, by name; the others keep their stored values',
    },
  },
  'WhatIf',
);

const WhatIfVerdict = closed(
  {
    outcome: OutcomeSchema,
    limit_amount: nullable(
      minorUnits(
        'In minor units. ACCEPT: the limit. REFER: what one person may grant; null without a proposal',
      ),
    ),
    risk_band: nullable(RiskBandSchema),
    price_class: nullable(PriceClassSchema),
    reasons: Type.Array(InternalReason),
    buyer_reasons: Type.Array(BuyerReasonSchema),
    rules_fired: Type.Array(FiredRule, { description: 'In the order in which they fired' }),
    failure: nullable(
      Type.String({
        description: 'Why the policy gave no valid answer, which counts as a referral; else null',
      }),
    ),
  },
  'WhatIfVerdict',
);
export type WhatIfVerdict = Static<typeof WhatIfVerdict>;

export const WhatIfComparison = closed(
  {
    decision_id: DecisionIdSchema,
    policy_version: Type.Integer({ description: 'The version that made the decision, and both verdicts' }),
    inputs: Type.Array(
      closed({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() }, 'ReplacedInput'),
      {
        description:
          'The replaced inputs; `before` is null for one that did not exist when the decision was made',
      },
    ),
    before: WhatIfVerdict,
    after: WhatIfVerdict,
    rules_only_before: Type.Array(FiredRule, { description: 'Rules that fire with the stored inputs only' }),
    rules_only_after: Type.Array(FiredRule, { description: 'Rules that fire with the replaced inputs only' }),
  },
  'WhatIfComparison',
);
export type WhatIfComparison = Static<typeof WhatIfComparison>;
