/** The reasons of decisions: one closed list for the people who decide, another that a buyer may read. */

/** Internal reasons. Policies use all but the last nine, which belong to the service. */
export const REASON_CODES = {
  WITHIN_BAND: 'The limit is what the risk band allows, or what was requested.',
  REQUEST_ABOVE_BAND: 'The request is above what the risk band allows; the band decided.',
  REQUEST_FAR_ABOVE_BAND: 'The request is far above what the risk band allows.',
  PAST_DUE_OVER_60_DAYS: 'An invoice is more than 60 days past due.',
  PAST_DUE_30_TO_60_DAYS: 'An invoice is 30 to 60 days past due.',
  CURRENTLY_PAST_DUE: 'An invoice is past due.',
  DEFAULT_WITHIN_12_MONTHS: 'An invoice defaulted in the last 12 months.',
  DEFAULT_WITHIN_24_MONTHS: 'An invoice defaulted in the last 24 months.',
  NO_IDENTIFIERS: 'No VAT id, tax id or trade register number was given.',
  IDENTIFIERS_VERIFIED: 'A registry has the company under one of its identifiers.',
  VERIFIED_BY_TAX_OFFICE: 'A tax office has the company under its VAT id, and no registry has it.',
  CONFIRMED_BY_PERSON: 'No registry has the company; the platform or a reviewer knows it.',
  NOTHING_VERIFIED: 'Only the applicant states that the company exists.',
  NAME_MISMATCH: 'The identifiers belong to a company of another name or country.',
  COMPANY_DISSOLVED: 'The registry says that the company is dissolved.',
  COMPANY_IN_LIQUIDATION: 'The registry says that the company is being wound up.',
  STARTER_LIMIT: 'The limit is that for companies that nothing confirms.',
  SEVERAL_EMAIL_DOMAINS: 'Applications for this company came from e-mail addresses at different domains.',
  MANY_APPLICATIONS: 'There were many applications for the company, from the domain, or to the address.',
  FREE_MAIL_ADDRESS: 'The applicant of an established company uses the address of a free mail provider.',
  UNKNOWN_EMAIL_DOMAIN: 'The applicant’s e-mail address is not at the domain of the company.',
  APPLICANT_UNPROVEN: 'A person who did not prove to act for the company named it in a checkout.',
  FIRST_ORDER_NEAR_LIMIT: 'A first order near the limit is to be delivered elsewhere than to the company.',
  PUBLIC_BODY: 'The buyer is a public body.',
  ESTABLISHED_COMPANY: 'The company has existed for two years or more.',
  YOUNG_COMPANY: 'The company has existed for less than two years.',
  AGE_UNKNOWN: 'The age of the company is unknown.',
  RISK_SCORE_LOW: 'The score of the risk source is very low.',
  RISK_SCORE_POOR: 'The score of the risk source is poor.',
  RISK_SCORE_GOOD: 'The score of the risk source is good.',
  GOOD_HISTORY: 'The buyer has paid several invoices, on average within a few days of the due day.',
  ORDERS_PAID: 'The buyer has paid several orders, and no invoice shows how late.',
  THIN_HISTORY: 'The buyer has paid too few invoices to raise its limit.',
  SOMETIMES_LATE: 'More than a tenth of the amount was paid late.',
  OFTEN_LATE: 'More than half of the amount was paid late.',
  ONCE_VERY_LATE: 'An invoice was paid more than 60 days late.',
  PAYS_LATER_THAN_BEFORE: 'The buyer pays later than half a year ago.',
  LIMIT_RAISED: 'The limit is higher than before.',
  LIMIT_LOWERED: 'The limit is lower than before.',
  LIMIT_TOO_SMALL: 'The remaining limit is too small to grant.',
  INCREASE_NOT_JUSTIFIED: 'Nothing justifies more than the current limit.',
  EXPOSURE_TOO_HIGH: 'The buyer owes too much for a higher limit.',
  SAME_ENTITY: 'Another buyer of the same company has a limit, or has applied for one.',
  COUNTRY_NOT_SERVED: 'Credit is not offered in this country.',
  LEGAL_FORM_NOT_SERVED: 'Credit is not offered to this legal form.',
  OTHER_RULE: 'A rule of the platform’s own policy.',
  RISK_SOURCE_UNAVAILABLE: 'The risk source gave no answer, so a person decides.',
  POLICY_ERROR: 'The policy gave no valid answer, so a person decides.',
  SANDBOX_SCRIPT: 'An outcome script of the sandbox decided instead of the policy.',
  SANDBOX_SIMULATOR: 'A simulator of the sandbox decided.',
  DECIDED_BY_PERSON: 'A person decided, within what the policy had proposed.',
  OVERRIDDEN_BY_PERSONS: 'Two persons overrode the policy.',
  FINANCING_REVIEWED: 'A person decides about every financing of the platform.',
  INVOICE_FILE_UNREADABLE:
    'The file of the invoice cannot be read, so a person compares it with the invoice.',
  BUYER_INSOLVENT: 'The buyer is insolvent, so persons decide about its credit.',
} as const;
export type ReasonCode = keyof typeof REASON_CODES;

/** Reasons that a policy cannot use. */
export const OWN_REASONS = [
  'RISK_SOURCE_UNAVAILABLE',
  'POLICY_ERROR',
  'SANDBOX_SCRIPT',
  'SANDBOX_SIMULATOR',
  'DECIDED_BY_PERSON',
  'OVERRIDDEN_BY_PERSONS',
  'FINANCING_REVIEWED',
  'INVOICE_FILE_UNREADABLE',
  'BUYER_INSOLVENT',
] as const satisfies readonly ReasonCode[];

export const POLICY_REASONS = (Object.keys(REASON_CODES) as ReasonCode[]).filter(
  (code) => !OWN_REASONS.some((own) => own === code),
);

/**
 * Reasons that are safe to show to the buyer: they reveal no scores, sources or thresholds. The buyer reads them in its own
 * language: the messages `reason.…` of the catalogue.
 */
export const BUYER_REASON_CODES = {
  LIMIT_GRANTED: 'The credit limit was granted.',
  LIMIT_BELOW_REQUEST: 'A credit limit was granted, lower than requested.',
  LIMIT_RAISED: 'The credit limit was raised.',
  LIMIT_LOWERED: 'The credit limit was lowered.',
  OVERDUE_INVOICES: 'Invoices are overdue.',
  COMPANY_DETAILS_INCOMPLETE:
    'Details of the company are missing, such as a VAT id or a trade register number.',
  COMPANY_NOT_FOUND: 'No public registry has the company with these details.',
  COMPANY_NOT_ACTIVE: 'A public registry has the company as dissolved or in liquidation.',
  APPLICANT_NOT_CONFIRMED: 'It is not confirmed that the person who orders may act for the company.',
  NEEDS_REVIEW: 'A person is reviewing the application.',
  NOT_POSSIBLE_NOW: 'A credit limit, or a higher one, is not possible at present.',
} as const;
export type BuyerReasonCode = keyof typeof BUYER_REASON_CODES;
export const BUYER_REASONS = Object.keys(BUYER_REASON_CODES) as BuyerReasonCode[];
