/** The inputs of old decisions, which were made before later inputs existed. */
import { behaviourInputs, NO_BEHAVIOUR } from './paying-behaviour.rules.ts';
import type { PolicyInputs } from './policy.schemas.ts';

/** The values of inputs that did not exist at the time of a decision: unknown. */
const UNKNOWN_THEN = {
  ...behaviourInputs(NO_BEHAVIOUR, Number),
  applicant_proof: 'NOT_ASKED',
  order_amount: null,
  entity_buyers: 0,
  entity_limit: 0,
  entity_in_other_currency: false,
  registry_status: 'NOT_ASKED',
  name_matches: null,
  identity_source: 'SELF_DECLARED',
  vouched_by: 'NOBODY',
  email_domain: null,
  delivery_differs: false,
  is_first_order: false,
  applications_24h_company: 1,
  applications_24h_email_domain: 1,
  applications_24h_address: 1,
  email_domains_24h_company: 1,
  legal_form_source: 'SELF_DECLARED',
  company_age_source: 'SELF_DECLARED',
} as const satisfies Partial<PolicyInputs>;

/** The values if a registry had one of the identifiers, which every stored decision shows. */
const VERIFIED_THEN = {
  registry_status: 'ACTIVE',
  name_matches: true,
  identity_source: 'REGISTRY',
} as const satisfies Partial<PolicyInputs>;

/** Stored inputs, completed to all inputs of today. An input that the decision lacks counts as unknown, not as of today. */
export function completeInputs(stored: Partial<PolicyInputs>): PolicyInputs {
  const isVerified = (stored.identifiers_verified ?? 0) > 0;
  return { ...UNKNOWN_THEN, ...(isVerified && VERIFIED_THEN), ...stored } as PolicyInputs;
}
