/** Sample applications that a policy must answer before it is stored: all kinds of companies and findingss. */
import { CURRENCIES } from '#kernel/currency';
import { LEGAL_FORMS } from '#kernel/fields';
import { FACILITY_SUBJECTS, type PolicyInputs } from '../policy.schemas.ts';

/** An ordinary company, five years old, that applies for its first limit. */
export const ORDINARY: PolicyInputs = {
  subject: 'FACILITY_CREATION',
  legal_form: 'LIMITED_COMPANY',
  country: 'DE',
  currency: 'EUR',
  company_age_years: 5,
  identifiers_given: 1,
  identifiers_verified: 0,
  months_on_platform: 0,
  orders_closed: 0,
  invoices_paid: 0,
  invoices_paid_late: 0,
  days_past_due_max: 0,
  overdue_amount: 0,
  utilisation_percent: 0,
  requested_amount: null,
  existing_exposure: 0,
  existing_limit: null,
  risk_source_score: null,
};

const FINDINGS: Partial<PolicyInputs>[] = [
  {},
  { identifiers_given: 0 },
  { identifiers_given: 2, identifiers_verified: 2 },
  { requested_amount: 1 },
  { requested_amount: 5_000 },
  { requested_amount: 60_000 },
  { requested_amount: 10_000_000 },
  ...[1, 29, 30, 60, 61, 400].map((days) => ({ days_past_due_max: days, overdue_amount: 900 })),
  ...[0, 10, 19, 20, 40, 70, 100].map((score) => ({ risk_source_score: score })),
  { months_on_platform: 12, orders_closed: 9, invoices_paid: 9 },
  { months_on_platform: 12, orders_closed: 9, invoices_paid: 9, invoices_paid_late: 1 },
  { months_on_platform: 12, orders_closed: 9, invoices_paid: 9, invoices_paid_late: 9 },
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
