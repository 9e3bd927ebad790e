/** The inputs of a policy, its answer, and the shape of its graph. */
import { type Static, Type } from 'typebox';
import {
  CountrySchema,
  CurrencySchema,
  closed,
  LegalFormSchema,
  line,
  MINOR_UNITS_MAX,
  nullable,
  oneOf,
  optional,
} from '#kernel/fields';
import { REGISTRY_STATUSES } from '#modules/registry';
import { APPLICANT_PROOFS } from './applicant.ts';
import { EMAIL_DOMAINS } from './email-domain.rules.ts';
import { BUYER_REASONS, POLICY_REASONS } from './reason.codes.ts';

export const FACILITY_SUBJECTS = ['FACILITY_CREATION', 'FACILITY_RENEWAL', 'FACILITY_INCREASE'] as const;
export type FacilitySubject = (typeof FACILITY_SUBJECTS)[number];
export const SUBJECTS = [...FACILITY_SUBJECTS, 'ORDER', 'FINANCING'] as const;
export type Subject = (typeof SUBJECTS)[number];
/** What a person decides, including an insolvency, which is not a credit decision. */
export const REVIEW_SUBJECTS = [...SUBJECTS, 'INSOLVENCY'] as const;

export const OUTCOMES = ['ACCEPT', 'REJECT', 'REFER'] as const;
export type CreditOutcome = (typeof OUTCOMES)[number];

export const RISK_BANDS = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2', 'D1', 'D2'] as const;
export const PRICE_CLASSES = ['A', 'B', 'C', 'D'] as const;
export type RiskBand = (typeof RISK_BANDS)[number] | 'REJECT';
export type PriceClass = (typeof PRICE_CLASSES)[number];

export const PAYMENT_TRENDS = ['IMPROVING', 'STABLE', 'WORSENING', 'UNKNOWN'] as const;
/** Who confirms what a company is, the best evidence first. */
export const IDENTITY_SOURCES = ['REGISTRY', 'TAX_AUTHORITY', 'PERSON', 'SELF_DECLARED'] as const;
const FORM_SOURCES = ['REGISTRY', 'TAX_AUTHORITY', 'SELF_DECLARED'] as const;
const AGE_SOURCES = ['REGISTRY', 'SELF_DECLARED'] as const;
/** Who knows that the applicant acts for the company. */
export const VOUCHERS = ['NOBODY', 'PLATFORM', 'REVIEWER'] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description });
/** Whole units of the facility's currency, rounded up: a policy sees 100.01 euros as 101, never less than is at stake. */
const wholeUnits = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: MINOR_UNITS_MAX,
    description: `Whole units, rounded up. ${description}`,
  });

/** Two inputs with the same meaning, over the last 12 and the last 24 months. */
const overMonths = <const Name extends string, T>(name: Name, make: (months: string) => T) =>
  ({
    [`${name}_12m`]: make('the last 12 months'),
    [`${name}_24m`]: make('the last 24 months'),
  }) as Record<`${Name}_${'12m' | '24m'}`, T>;

/** All inputs of a policy, by name. The descriptions are printed into the documents. */
export const PolicyInputs = closed(
  {
    subject: {
      ...oneOf(FACILITY_SUBJECTS),
      description: 'What is decided: a first limit, its renewal, or a requested increase.',
    },
    applicant_proof: {
      ...oneOf(APPLICANT_PROOFS),
      description:
        'How it is known that the person in the checkout speaks for the company: the platform vouches, the confirmed address ' +
        'is on file, or only an address of the person is confirmed. NOT_ASKED: the platform or the service applies. ' +
        'UNPROVEN: likewise, but a person in a checkout named the company without a proof.',
    },
    registry_status: {
      ...oneOf(REGISTRY_STATUSES),
      description:
        'What registries say about the company with the buyer’s identifiers. NOT_ASKED: the buyer has none, or no registry answered.',
    },
    name_matches: nullable(
      Type.Boolean({
        description: 'Whether that company has the buyer’s name and country; null if no company was found.',
      }),
    ),
    identity_source: {
      ...oneOf(IDENTITY_SOURCES),
      description:
        'Who confirms that the company exists: a registry, a tax office, a person who knows the buyer, or nobody.',
    },
    vouched_by: {
      ...oneOf(VOUCHERS),
      description:
        'Who knows that the applicant acts for the company: the platform stated it, or a reviewer granted credit before.',
    },
    email_domain: nullable({
      ...oneOf(EMAIL_DOMAINS),
      description: 'Whose domain the applicant’s e-mail address is at; null if no address is known.',
    }),
    delivery_differs: Type.Boolean({
      description: 'Whether the goods go to another country or postcode than the registered seat.',
    }),
    is_first_order: Type.Boolean({
      description: 'Whether the buyer has placed no order before. A prepaid order counts once it is closed.',
    }),
    applications_24h_company: count(
      'Applications for this company in the last 24 hours, including this one; at most 100.',
    ),
    applications_24h_email_domain: count(
      'Applications from the domain of the e-mail address in the last 24 hours, including this one; at most 100.',
    ),
    applications_24h_address: count(
      'Applications with this delivery address in the last 24 hours, including this one; at most 100.',
    ),
    email_domains_24h_company: count(
      'E-mail domains that applied for this company in the last 24 hours. Applications without an e-mail address count as one more.',
    ),
    legal_form: { ...LegalFormSchema, description: 'The legal form of the buyer.' },
    legal_form_source: { ...oneOf(FORM_SOURCES), description: 'The source of the legal form.' },
    country: { ...CountrySchema, description: 'The country of the business address, ISO 3166-1 alpha-2.' },
    currency: { ...CurrencySchema, description: 'The currency of the facility, and of every amount here.' },
    company_age_years: nullable(
      count('Whole years since incorporation, by a registry or else the buyer; null if unknown.'),
    ),
    company_age_source: nullable({
      ...oneOf(AGE_SOURCES),
      description: 'The source of the company’s age; null if unknown.',
    }),
    identifiers_given: count(
      'VAT ids, tax ids and trade register numbers of the buyer, each with the format of its country.',
    ),
    identifiers_verified: count(
      'Identifiers of the buyer that a registry has for an existing company with a matching name.',
    ),
    months_on_platform: count('Whole months of 30 days since the buyer signed up on the platform.'),
    orders_closed: count('Orders of the buyer that were fulfilled and paid.'),
    invoices_paid: count('Invoices of the buyer that were paid in full.'),
    invoices_paid_late: count('Invoices of the buyer that were paid in full after the due date.'),
    ...overMonths('invoices_paid', (months) =>
      count(`Invoices in the facility’s currency that were paid in ${months}.`),
    ),
    ...overMonths('days_beyond_terms', (months) =>
      nullable(
        count(
          `Days from due day to payment, 0 if on time, averaged by amount over the invoices paid in ${months}; null if none was paid.`,
        ),
      ),
    ),
    ...overMonths('worst_days_late', (months) =>
      count(`Most days from due day to payment of an invoice paid in ${months}, in any currency.`),
    ),
    ...overMonths('paid_late_percent', (months) =>
      nullable(
        count(
          `Percent of the amount paid in ${months} that came later than the grace of the limit policy; null if nothing was paid.`,
        ),
      ),
    ),
    payment_trend: {
      ...oneOf(PAYMENT_TRENDS),
      description:
        'The days beyond terms of the last 6 months, compared with the 6 before: 5 or more days are a change. UNKNOWN with fewer than 3 invoices in either.',
    },
    ...overMonths('defaults', (months) =>
      count(
        `Invoices, in any currency, that became more than 90 days past due in ${months}, above the materiality of the limit policy.`,
      ),
    ),
    ...overMonths('default_amount', (months) =>
      wholeUnits(
        `The outstanding amount, at their default, of invoices in the facility’s currency that defaulted in ${months}.`,
      ),
    ),
    days_past_due_max: count('Most days past due among the buyer’s unpaid invoices; 0 when none is due.'),
    overdue_amount: wholeUnits('What the buyer owes that is past due.'),
    utilisation_percent: count('Used plus reserved, in whole percent of the existing limit; 0 without one.'),
    requested_amount: nullable(wholeUnits('The requested limit; null if none was requested.')),
    order_amount: nullable(
      wholeUnits('The order in the checkout that the limit is for, gross; null without one.'),
    ),
    existing_exposure: wholeUnits('Used plus reserved of the existing limit.'),
    existing_limit: nullable(wholeUnits('The current limit; null for a first application.')),
    entity_buyers: count('Other buyers of the same company with a limit or an application under review.'),
    entity_limit: wholeUnits(
      'What other buyers of the same company may owe together in the facility’s currency.',
    ),
    entity_in_other_currency: Type.Boolean({
      description: 'Whether another buyer of the same company may owe in another currency.',
    }),
    risk_source_score: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'The risk source’s score, from 0 (very poor) to 100 (very good); null without one.',
      }),
    ),
  },
  'PolicyInputs',
);
export type PolicyInputs = Static<typeof PolicyInputs>;
export const INPUT_NAMES = Object.keys(PolicyInputs.properties) as (keyof PolicyInputs)[];

/** Closed, so that a misspelt field is an error. */
export const PolicyAnswer = closed(
  {
    outcome: {
      ...oneOf(OUTCOMES),
      description: 'ACCEPT grants the limit, REJECT grants none, REFER leaves the decision to a person.',
    },
    limit: optional(
      Type.Integer({
        minimum: 0,
        maximum: MINOR_UNITS_MAX,
        description:
          'Whole units of the facility’s currency. Required with ACCEPT; with REFER, what one person may grant.',
      }),
    ),
    risk_band: optional({
      ...oneOf([...RISK_BANDS, 'REJECT']),
      description: 'From A1, the best, to D2; REJECT with the outcome REJECT.',
    }),
    price_class: optional({ ...oneOf(PRICE_CLASSES), description: 'Selects the fee in the price table.' }),
    reasons: Type.Array(oneOf(POLICY_REASONS), {
      minItems: 1,
      maxItems: 20,
      description: 'Codes for the people who decide; the decisive one first.',
    }),
    buyer_reasons: Type.Array(oneOf(BUYER_REASONS), {
      minItems: 1,
      maxItems: 5,
      description: 'Codes that the buyer may see.',
    }),
  },
  'PolicyAnswer',
);
export type PolicyAnswer = Static<typeof PolicyAnswer>;
export const ANSWER_NAMES = Object.keys(PolicyAnswer.properties);

export const NODE_TYPES = [
  'inputNode',
  'decisionTableNode',
  'expressionNode',
  'switchNode',
  'outputNode',
] as const;

const id = Type.String({ minLength: 1, maxLength: 200 });
const cell = Type.String({ maxLength: 2_000 });

/** Fields that the editor adds, such as positions and colours, are not validated. */
export const PolicyGraph = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id,
      name: line(100),
      type: Type.String(),
      description: Type.Optional(Type.String()),
      content: Type.Optional(Type.Unknown()),
    }),
    { minItems: 3, maxItems: 200 },
  ),
  edges: Type.Array(
    Type.Object({ id, sourceId: id, targetId: id, sourceHandle: Type.Optional(nullable(Type.String())) }),
    { minItems: 2, maxItems: 1_000 },
  ),
});
export type PolicyGraph = Static<typeof PolicyGraph>;
export type PolicyNode = PolicyGraph['nodes'][number];

/** Settings of the editor that would rename inputs or loop over them: they must be empty. */
const whole = {
  inputField: optional(Type.String({ maxLength: 0 })),
  outputPath: optional(Type.String({ maxLength: 0 })),
  executionMode: Type.Optional(oneOf(['single'])),
  passThrough: optional(Type.Boolean()),
};

export const TableContent = Type.Object({
  hitPolicy: oneOf(['first']),
  inputs: Type.Array(
    Type.Object({ id, name: Type.Optional(Type.String()), field: optional(Type.String()) }),
    { minItems: 1 },
  ),
  outputs: Type.Array(Type.Object({ id, name: Type.Optional(Type.String()), field: line(100) }), {
    minItems: 1,
  }),
  rules: Type.Array(Type.Record(Type.String(), cell), { minItems: 1, maxItems: 1_000 }),
  ...whole,
});
export type TableContent = Static<typeof TableContent>;

export const ExpressionContent = Type.Object({
  expressions: Type.Array(Type.Object({ id, key: line(100), value: cell }), { minItems: 1 }),
  ...whole,
});
export type ExpressionContent = Static<typeof ExpressionContent>;

export const SwitchContent = Type.Object({
  hitPolicy: Type.Optional(oneOf(['first', 'collect'])),
  statements: Type.Array(Type.Object({ id, condition: cell }), { minItems: 1 }),
});
export type SwitchContent = Static<typeof SwitchContent>;
