/** Decisions as the API shows them: what the buyer may know and, separately, what the scope `credit:read` shows. */
import { type Static, type TSchema, Type } from 'typebox';
import {
  CurrencySchema,
  closed,
  externalId,
  LanguageSchema,
  minorUnits,
  named,
  nullable,
  oneOf,
  unixSeconds,
} from '#kernel/fields';
import type { DecisionSource } from './decision.queries.ts';
import { OUTCOMES, PolicyInputs, PRICE_CLASSES, RISK_BANDS, SUBJECTS } from './policy.schemas.ts';
import { BUYER_REASONS } from './reason.codes.ts';

export const DecisionIdSchema = Type.String({ format: 'uuid', description: 'The decision' });
/** The id in the examples of openapi.json. Real ids are random. */
export const EXAMPLE_DECISION_ID = '5f0d7b7e-52a1-4c3e-9a3a-6c1d5a1f2b90';
export const RiskBandSchema = named('RiskBand', oneOf([...RISK_BANDS, 'REJECT']));
export const BuyerReasonSchema = named(
  'BuyerReason',
  oneOf(BUYER_REASONS, 'A reason that the buyer may know'),
);
export const PriceClassSchema = named(
  'PriceClass',
  oneOf(PRICE_CLASSES, 'Selects the fee in the price table'),
);
export const OutcomeSchema = named(
  'DecisionOutcome',
  oneOf(OUTCOMES, 'ACCEPT grants, REJECT refuses, REFER leaves the decision to a person'),
);

/** The ids of decisions are UUIDs; any other text is an id that no decision has. */
export const DecisionParams = closed({ decision_id: externalId('The decision') });

/** `registry_status` → `RegistryStatusInput`. */
const titleOf = (input: string) =>
  `${input.replaceAll(/(?:^|_)(\w)/g, (_, initial: string) => initial.toUpperCase())}Input`;

/** The inputs of a policy, with a name in openapi.json for each list of values. */
export const INPUT_SCHEMAS: Record<string, TSchema> = Object.fromEntries(
  Object.entries(PolicyInputs.properties).map(([name, schema]) => [
    name,
    'enum' in schema && !('title' in schema) ? named(titleOf(name), schema) : schema,
  ]),
);

/** Null for an input that did not exist when the decision was made. */
const asNullable = (schema: TSchema) =>
  Array.isArray((schema as { type?: unknown }).type) ? schema : nullable(schema);

const DecisionInputs = Type.Unsafe<Record<string, unknown>>({
  ...Type.Object(
    Object.fromEntries(Object.entries(INPUT_SCHEMAS).map(([name, schema]) => [name, asNullable(schema)])),
  ),
  additionalProperties: true,
  title: 'DecisionInputs',
  description:
    'What the policy saw, by the name of the input; null for an input that did not exist at the time',
});

export const FiredRule = closed(
  {
    node: Type.String({ description: 'The table of the policy' }),
    rule: Type.String({ description: 'The id of its row' }),
    description: Type.String({ description: 'The row in words' }),
  },
  'FiredRule',
);

export const InternalReason = closed(
  { code: Type.String(), text: Type.String({ description: 'In English' }) },
  'InternalReason',
);

const DecisionSourceSchema = closed(
  {
    name: Type.String({ description: 'Where inputs came from' }),
    at: unixSeconds('The instant of the data'),
    data: Type.Unsafe<DecisionSource['data']>({
      type: 'object',
      additionalProperties: true,
      description: 'Data of the source in addition to the inputs',
    }),
  },
  'DecisionSource',
);

const ReplacedDecision = closed(
  {
    decision_id: DecisionIdSchema,
    outcome: OutcomeSchema,
    limit_amount: nullable(minorUnits('What it granted, or proposed with REFER')),
  },
  'ReplacedDecision',
);

export const DecisionInternals = closed(
  {
    reasons: Type.Array(InternalReason, { description: 'For the people who decide; the decisive one first' }),
    proposed_amount: nullable(minorUnits('With REFER: what one person may grant; null without a proposal')),
    risk_band: nullable(RiskBandSchema),
    price_class: nullable(PriceClassSchema),
    inputs: nullable(DecisionInputs),
    sources: Type.Array(DecisionSourceSchema),
    rules_fired: Type.Array(FiredRule, { description: 'In the order in which they fired' }),
    script: nullable(Type.String({ description: "The sandbox's script that decided instead of the policy" })),
    assessed_ms: nullable(
      Type.Integer({ description: 'Duration of the assessment in milliseconds, including the risk source' }),
    ),
    decided_by: Type.String({ description: 'Who decided, or requested the decision of the policy' }),
    approved_by: nullable(Type.String({ description: 'The second person, who approved an override' })),
    comment: nullable(Type.String({ description: 'Why a person decided this way' })),
    replaces: nullable({
      ...ReplacedDecision,
      description:
        'The decision that this one replaces, as it was. The difference shows what a person changed',
    }),
    replaced_by: Type.Array(DecisionIdSchema, {
      description: 'The decisions that replace this one, the oldest first',
    }),
  },
  'DecisionInternals',
);
export type DecisionInternals = Static<typeof DecisionInternals>;

export const Decision = closed(
  {
    decision_id: DecisionIdSchema,
    subject: named('DecisionSubject', oneOf(SUBJECTS, 'What was decided')),
    buyer_external_id: externalId('The buyer'),
    order_external_id: nullable(externalId('The order, if the decision is about one')),
    service_external_id: nullable(externalId('The financing of an invoice, if the decision is about one')),
    outcome: OutcomeSchema,
    currency: CurrencySchema,
    requested_amount: nullable(
      minorUnits(
        'The requested limit, the gross amount of the order, or what the financing covers, in minor units. A key that is restricted to a merchant sees ' +
          'null for a facility',
      ),
    ),
    limit_amount: nullable(minorUnits('What was granted, in minor units; null unless ACCEPT')),
    decided_at: unixSeconds('When it was decided'),
    policy_version: nullable(
      Type.Integer({ description: 'The version of the credit policy; null if no policy decided' }),
    ),
    language: {
      ...LanguageSchema,
      description: "The language of the reasons' texts, the same as in mails to the buyer",
    },
    reasons: Type.Array(closed({ code: BuyerReasonSchema, text: Type.String() }, 'DecisionReason'), {
      description: 'What the buyer may know: no scores, sources or thresholds',
    }),
    internal: nullable({
      ...DecisionInternals,
      description:
        'For the people who decide; null without the scope `credit:read`, and for a key that is restricted to a merchant',
    }),
  },
  'Decision',
);
export type Decision = Static<typeof Decision>;
