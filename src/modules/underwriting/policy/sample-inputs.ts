/** Sample applications that a policy must answer before it is stored: all kinds of companies and findings. */
import { CURRENCIES } from '#kernel/currency';
import { LEGAL_FORMS } from '#kernel/fields';
import { behaviourInputs, NO_BEHAVIOUR } from '../paying-behaviour.rules.ts';
import { FACILITY_SUBJECTS, type PolicyInputs } from '../policy.schemas.ts';

/** The inputs of a buyer that has paid no invoice yet. */
const NO_PAYMENTS = behaviourInputs(NO_BEHAVIOUR, Number);

/** An ordinary company of the registry, five years old, that applies for its first limit. */
export const ORDINARY: PolicyInputs = {
  subject: 'FACILITY_CREATION',
  applicant_proof: 'NOT_ASKED',
  registry_status: 'ACTIVE',
  name_matches: true,
  identity_source: 'REGISTRY',
  vouched_by: 'NOBODY',
  email_domain: 'OWN_OF_COMPANY',
  delivery_differs: false,
  is_first_order: true,
  applications_24h_company: 1,
  applications_24h_email_domain: 1,
  applications_24h_address: 1,
  email_domains_24h_company: 1,
  legal_form: 'LIMITED_COMPANY',
  legal_form_source: 'REGISTRY',
  country: 'DE',
  currency: 'EUR',
  company_age_years: 5,
  company_age_source: 'REGISTRY',
  identifiers_given: 1,
  identifiers_verified: 1,
  months_on_platform: 0,
  ...NO_PAYMENTS,
  days_past_due_max: 0,
  overdue_amount: 0,
  utilisation_percent: 0,
  requested_amount: null,
  order_amount: null,
  existing_exposure: 0,
  existing_limit: null,
  entity_buyers: 0,
  entity_limit: 0,
  entity_in_other_currency: false,
  risk_source_score: null,
};

/** A year of invoices, of which the latest payment came `daysLate` days after the due day. */
const paying = (daysLate: number, latePercent: number, more: Partial<PolicyInputs> = {}) => ({
  ...{ months_on_platform: 12, orders_closed: 9, invoices_paid: 9, payment_trend: 'STABLE' as const },
  ...{ invoices_paid_12m: 9, worst_days_late_12m: daysLate, paid_late_percent_12m: latePercent },
  ...{ invoices_paid_24m: 9, worst_days_late_24m: daysLate, paid_late_percent_24m: latePercent },
  days_beyond_terms_12m: latePercent === 100 ? daysLate : 2,
  days_beyond_terms_24m: latePercent === 100 ? daysLate : 2,
  ...more,
});

/** The inputs that differ from `ORDINARY` if only the applicant states what the company is. */
export const SELF_DECLARED = {
  registry_status: 'NOT_FOUND',
  name_matches: null,
  identity_source: 'SELF_DECLARED',
  legal_form_source: 'SELF_DECLARED',
  company_age_source: 'SELF_DECLARED',
  identifiers_verified: 0,
} as const satisfies Partial<PolicyInputs>;

const FINDINGS: Partial<PolicyInputs>[] = [
  {},
  { applicant_proof: 'VOUCHED' },
  { applicant_proof: 'ADDRESS_ON_FILE' },
  { applicant_proof: 'CONFIRMED_ADDRESS' },
  { applicant_proof: 'UNPROVEN' },
  SELF_DECLARED,
  { ...SELF_DECLARED, identifiers_given: 0, registry_status: 'NOT_ASKED' },
  { ...SELF_DECLARED, registry_status: 'ACTIVE', name_matches: false },
  { ...SELF_DECLARED, identity_source: 'PERSON', vouched_by: 'PLATFORM' },
  {
    identity_source: 'TAX_AUTHORITY',
    legal_form_source: 'SELF_DECLARED',
    company_age_source: 'SELF_DECLARED',
  },
  { registry_status: 'DISSOLVED' },
  { registry_status: 'IN_LIQUIDATION' },
  { email_domain: null },
  { email_domain: 'FREE_MAIL' },
  { email_domain: 'OTHER' },
  { email_domain: 'OTHER', vouched_by: 'REVIEWER' },
  { email_domains_24h_company: 2, applications_24h_company: 2 },
  { applications_24h_company: 100, applications_24h_email_domain: 100, applications_24h_address: 100 },
  { delivery_differs: true, requested_amount: 29_000 },
  { identifiers_given: 2, identifiers_verified: 2 },
  { requested_amount: 1 },
  { requested_amount: 5_000 },
  { requested_amount: 60_000 },
  { requested_amount: 10_000_000 },
  { order_amount: 300 },
  { order_amount: 10_000_000 },
  { delivery_differs: true, order_amount: 29_000 },
  { entity_buyers: 1 },
  { entity_buyers: 1, applicant_proof: 'CONFIRMED_ADDRESS' },
  { entity_buyers: 1, entity_limit: 20_000 },
  { entity_buyers: 2, entity_limit: 10_000_000 },
  { entity_buyers: 1, entity_in_other_currency: true },
  ...[1, 29, 30, 60, 61, 400].map((days) => ({ days_past_due_max: days, overdue_amount: 900 })),
  ...[0, 10, 19, 20, 40, 70, 100].map((score) => ({ risk_source_score: score })),
  { months_on_platform: 12, orders_closed: 9 },
  paying(0, 0),
  paying(20, 11, { invoices_paid_late: 1 }),
  paying(40, 100, { invoices_paid_late: 9 }),
  paying(75, 5, { invoices_paid_late: 1 }),
  paying(6, 0, { payment_trend: 'WORSENING' }),
  paying(0, 0, { worst_days_late_24m: 50 }),
  paying(0, 0, { defaults_24m: 1, default_amount_24m: 4_000 }),
  { defaults_12m: 1, defaults_24m: 1, default_amount_12m: 4_000, default_amount_24m: 4_000 },
  { existing_exposure: 20_000, utilisation_percent: 100 },
];
const AGES = [null, 0, 2, 5, 10];

export const SAMPLE_INPUTS: readonly PolicyInputs[] = [
  ORDINARY,
  ...LEGAL_FORMS.flatMap((legal_form) =>
    AGES.flatMap((company_age_years) =>
      FACILITY_SUBJECTS.flatMap((subject) =>
        FINDINGS.map((findings) => ({
          ...ORDINARY,
          legal_form,
          company_age_years,
          company_age_source: company_age_years === null ? null : ('REGISTRY' as const),
          subject,
          existing_limit: subject === 'FACILITY_CREATION' ? null : 20_000,
          requested_amount: subject === 'FACILITY_INCREASE' ? 30_000 : null,
          ...findings,
        })),
      ),
    ),
  ),
  ...CURRENCIES.map((currency) => ({ ...ORDINARY, currency })),
];

/** How a sample differs from the ordinary one: `company_age_years null, legal_form OTHER`. */
export function describeSample(sample: PolicyInputs): string {
  const differences = Object.entries(sample).filter(
    ([name, value]) => ORDINARY[name as keyof PolicyInputs] !== value,
  );
  return differences.length === 0
    ? 'an ordinary company'
    : differences.map(([name, value]) => `${name} ${value}`).join(', ');
}
