import { describe, expect, it } from 'vitest';
import type { PolicyInputs, TableContent } from '../policy.schemas.ts';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy, sha256Of, type Verdict } from './evaluate-policy.ts';
import { ORDINARY, SAMPLE_INPUTS, SELF_DECLARED } from './sample-inputs.ts';

/** What is known, beyond an ordinary company's; the outcome, limit, band and price class; the reason that decided. */
type Row = [Partial<PolicyInputs>, string, string];

const renewal = { subject: 'FACILITY_RENEWAL', existing_limit: 20_000 } as const;
/** `invoices` paid in the last 12 months, all on time unless `more` says otherwise. */
const paying = (invoices: number, more: Partial<PolicyInputs> = {}): Partial<PolicyInputs> => ({
  ...{ invoices_paid: invoices, invoices_paid_12m: invoices, invoices_paid_24m: invoices },
  ...{ days_beyond_terms_12m: 0, paid_late_percent_12m: 0 },
  ...more,
});
const increase = { subject: 'FACILITY_INCREASE', existing_limit: 20_000 } as const;

/** An old limited company that nobody but the buyer knows. */
const unconfirmed = { ...SELF_DECLARED, company_age_years: 99 };

const ROWS: Record<string, Row[]> = {
  'a first limit, by legal form and age': [
    [{}, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ company_age_years: 2 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ company_age_years: 1 }, 'ACCEPT 9000 C2 C', 'WITHIN_BAND'],
    [{ company_age_years: 0 }, 'ACCEPT 9000 C2 C', 'WITHIN_BAND'],
    [{ company_age_years: null }, 'ACCEPT 12000 C1 C', 'WITHIN_BAND'],
    [{ company_age_years: 10 }, 'ACCEPT 30000 B1 B', 'WITHIN_BAND'],
    [{ legal_form: 'COOPERATIVE' }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ legal_form: 'GOVERNMENT', company_age_years: null }, 'ACCEPT 120000 A1 A', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY' }, 'ACCEPT 60000 A2 A', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY', company_age_years: 1 }, 'ACCEPT 18000 C1 C', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY', company_age_years: null }, 'ACCEPT 24000 B2 B', 'WITHIN_BAND'],
    [{ legal_form: 'PARTNERSHIP' }, 'ACCEPT 18000 C1 C', 'WITHIN_BAND'],
    [{ legal_form: 'PARTNERSHIP', company_age_years: 1 }, 'ACCEPT 9000 D1 D', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER' }, 'ACCEPT 12000 C2 C', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER', company_age_years: 0 }, 'ACCEPT 6000 D2 D', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER', company_age_years: null }, 'ACCEPT 6000 D1 D', 'WITHIN_BAND'],
    [{ legal_form: 'OTHER', company_age_years: null }, 'ACCEPT 6000 D1 D', 'WITHIN_BAND'],
  ],
  'other currencies': [
    [{ currency: 'GBP' }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'JPY' }, 'ACCEPT 4500000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'HUF' }, 'ACCEPT 12000000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'PLN' }, 'ACCEPT 120000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'SEK' }, 'ACCEPT 300000 B2 B', 'WITHIN_BAND'],
  ],
  'who the company is': [
    [{ identity_source: 'TAX_AUTHORITY' }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [
      { ...unconfirmed, identity_source: 'PERSON', vouched_by: 'PLATFORM' },
      'ACCEPT 8000 C1 C',
      'WITHIN_BAND',
    ],
    [unconfirmed, 'REFER 8000 C1 C', 'NOTHING_VERIFIED'],
    [{ ...unconfirmed, registry_status: 'NOT_ASKED' }, 'REFER 8000 C1 C', 'NOTHING_VERIFIED'],
    [{ ...unconfirmed, ...renewal }, 'REFER 20000 C1 C', 'NOTHING_VERIFIED'],
    [{ ...unconfirmed, ...increase, requested_amount: 24_000 }, 'REFER 20000 C1 C', 'NOTHING_VERIFIED'],
    [{ ...unconfirmed, identifiers_given: 0 }, 'REFER 8000 C1 C', 'NO_IDENTIFIERS'],
    [{ ...unconfirmed, registry_status: 'ACTIVE', name_matches: false }, 'REFER 8000 C1 C', 'NAME_MISMATCH'],
    [
      { ...unconfirmed, registry_status: 'DISSOLVED', name_matches: false },
      'REFER 8000 C1 C',
      'NAME_MISMATCH',
    ],
    [
      { ...unconfirmed, registry_status: 'DISSOLVED', name_matches: true },
      'REJECT - REJECT -',
      'COMPANY_DISSOLVED',
    ],
    [{ registry_status: 'IN_LIQUIDATION' }, 'REJECT - REJECT -', 'COMPANY_IN_LIQUIDATION'],
    [{ ...renewal, registry_status: 'DISSOLVED' }, 'REJECT - REJECT -', 'COMPANY_DISSOLVED'],
  ],
  'a form or an age that only the buyer gives': [
    [{ legal_form: 'GOVERNMENT', legal_form_source: 'SELF_DECLARED' }, 'ACCEPT 12000 C2 C', 'WITHIN_BAND'],
    [
      { legal_form: 'PUBLIC_COMPANY', legal_form_source: 'TAX_AUTHORITY' },
      'ACCEPT 12000 C2 C',
      'WITHIN_BAND',
    ],
    [
      { legal_form: 'LIMITED_COMPANY', legal_form_source: 'SELF_DECLARED' },
      'ACCEPT 30000 B2 B',
      'WITHIN_BAND',
    ],
    [{ company_age_years: 99, company_age_source: 'SELF_DECLARED' }, 'ACCEPT 12000 C1 C', 'WITHIN_BAND'],
  ],
  'who applies': [
    [{ email_domain: null }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ email_domain: 'OTHER' }, 'REFER 30000 B2 B', 'UNKNOWN_EMAIL_DOMAIN'],
    [{ email_domain: 'OTHER', vouched_by: 'PLATFORM' }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, email_domain: 'OTHER' }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ email_domain: 'FREE_MAIL' }, 'REFER 30000 B2 B', 'FREE_MAIL_ADDRESS'],
    [{ email_domain: 'FREE_MAIL', company_age_years: 1 }, 'ACCEPT 9000 C2 C', 'WITHIN_BAND'],
    [{ email_domain: 'FREE_MAIL', legal_form: 'SOLE_TRADER' }, 'ACCEPT 12000 C2 C', 'WITHIN_BAND'],
    [
      { email_domain: 'FREE_MAIL', legal_form: 'GOVERNMENT', company_age_years: null },
      'REFER 120000 A1 A',
      'FREE_MAIL_ADDRESS',
    ],
    [{ applicant_proof: 'UNPROVEN' }, 'REFER 30000 B2 B', 'APPLICANT_UNPROVEN'],
    [{ applicant_proof: 'UNPROVEN', vouched_by: 'REVIEWER' }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, applicant_proof: 'UNPROVEN' }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ email_domains_24h_company: 2 }, 'REFER 30000 B2 B', 'SEVERAL_EMAIL_DOMAINS'],
    [{ applications_24h_company: 5 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ applications_24h_company: 6 }, 'REFER 30000 B2 B', 'MANY_APPLICATIONS'],
    [{ applications_24h_address: 6 }, 'REFER 30000 B2 B', 'MANY_APPLICATIONS'],
    [{ applications_24h_email_domain: 100 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
  ],
  'a first order elsewhere': [
    [{ delivery_differs: true }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ delivery_differs: true, requested_amount: 23_999 }, 'ACCEPT 23999 B2 B', 'WITHIN_BAND'],
    [{ delivery_differs: true, requested_amount: 24_000 }, 'REFER 24000 B2 B', 'FIRST_ORDER_NEAR_LIMIT'],
    [{ delivery_differs: false, requested_amount: 24_000 }, 'ACCEPT 24000 B2 B', 'WITHIN_BAND'],
    [
      { delivery_differs: true, requested_amount: 24_000, is_first_order: false },
      'ACCEPT 24000 B2 B',
      'WITHIN_BAND',
    ],
    [
      { delivery_differs: true, requested_amount: 24_000, vouched_by: 'PLATFORM' },
      'ACCEPT 24000 B2 B',
      'WITHIN_BAND',
    ],
  ],
  'what is past due': [
    [{ days_past_due_max: 29 }, 'ACCEPT 22500 B2 B', 'WITHIN_BAND'],
    [{ days_past_due_max: 30 }, 'REFER 22500 B2 B', 'PAST_DUE_30_TO_60_DAYS'],
    [{ days_past_due_max: 60 }, 'REFER 22500 B2 B', 'PAST_DUE_30_TO_60_DAYS'],
    [{ days_past_due_max: 61 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
    [
      { days_past_due_max: 61, identifiers_given: 0, risk_source_score: 0 },
      'REJECT - REJECT -',
      'PAST_DUE_OVER_60_DAYS',
    ],
    [{ legal_form: 'GOVERNMENT', days_past_due_max: 400 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
  ],
  'how invoices were paid before a first limit': [
    [paying(9), 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [paying(9, { paid_late_percent_12m: 60 }), 'ACCEPT 15000 B2 B', 'WITHIN_BAND'],
    [{ orders_closed: 9 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ defaults_12m: 1, defaults_24m: 1 }, 'REJECT - REJECT -', 'DEFAULT_WITHIN_12_MONTHS'],
    [{ defaults_24m: 1 }, 'REFER 30000 B2 B', 'DEFAULT_WITHIN_24_MONTHS'],
    [{ defaults_24m: 1, days_past_due_max: 61 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
    [{ legal_form: 'GOVERNMENT', defaults_12m: 1 }, 'REJECT - REJECT -', 'DEFAULT_WITHIN_12_MONTHS'],
  ],
  'what is asked for': [
    [{ requested_amount: 1 }, 'ACCEPT 1 B2 B', 'WITHIN_BAND'],
    [{ requested_amount: 30_000 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ requested_amount: 30_001 }, 'ACCEPT 30000 B2 B', 'REQUEST_ABOVE_BAND'],
    [{ requested_amount: 120_000 }, 'ACCEPT 30000 B2 B', 'REQUEST_ABOVE_BAND'],
    [{ requested_amount: 120_001 }, 'REFER 30000 B2 B', 'REQUEST_FAR_ABOVE_BAND'],
    [{ requested_amount: 0 }, 'REJECT - REJECT -', 'LIMIT_TOO_SMALL'],
  ],
  'what the risk source says': [
    [{ risk_source_score: 0 }, 'REFER 15000 B2 B', 'RISK_SCORE_LOW'],
    [{ risk_source_score: 19 }, 'REFER 15000 B2 B', 'RISK_SCORE_LOW'],
    [{ risk_source_score: 20 }, 'ACCEPT 15000 B2 B', 'WITHIN_BAND'],
    [{ risk_source_score: 40 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ risk_source_score: 70 }, 'ACCEPT 37500 B2 B', 'WITHIN_BAND'],
  ],
  'a renewal': [
    [renewal, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, orders_closed: 3 }, 'ACCEPT 22000 B2 B', 'LIMIT_RAISED'],
    [{ ...renewal, ...paying(3) }, 'ACCEPT 25000 B2 B', 'LIMIT_RAISED'],
    [{ ...renewal, ...paying(2) }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, ...paying(2), orders_closed: 9 }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, ...paying(9, { days_beyond_terms_12m: 5 }) }, 'ACCEPT 25000 B2 B', 'LIMIT_RAISED'],
    [{ ...renewal, ...paying(9, { days_beyond_terms_12m: 6 }) }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, ...paying(9, { days_beyond_terms_12m: null }) }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, ...paying(9, { paid_late_percent_12m: 10 }) }, 'ACCEPT 25000 B2 B', 'LIMIT_RAISED'],
    [{ ...renewal, ...paying(9, { paid_late_percent_12m: 11 }) }, 'ACCEPT 16000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, ...paying(9, { paid_late_percent_12m: 51 }) }, 'ACCEPT 10000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, ...paying(9, { worst_days_late_12m: 61 }) }, 'ACCEPT 16000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, ...paying(9, { worst_days_late_24m: 61 }) }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, ...paying(9, { payment_trend: 'WORSENING' }) }, 'ACCEPT 15000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, ...paying(9, { payment_trend: 'IMPROVING' }) }, 'ACCEPT 25000 B2 B', 'LIMIT_RAISED'],
    [{ ...renewal, defaults_12m: 1, defaults_24m: 1 }, 'REJECT - REJECT -', 'DEFAULT_WITHIN_12_MONTHS'],
    [{ ...renewal, defaults_24m: 1 }, 'REFER 20000 B2 B', 'DEFAULT_WITHIN_24_MONTHS'],
    [{ ...renewal, days_past_due_max: 1 }, 'ACCEPT 15000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, existing_limit: 120_000, ...paying(9) }, 'ACCEPT 120000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, existing_limit: 500_000, ...paying(9) }, 'ACCEPT 500000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, existing_limit: 1, days_past_due_max: 1 }, 'REJECT - REJECT -', 'LIMIT_TOO_SMALL'],
    [{ ...renewal, existing_limit: null }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
  ],
  'an increase': [
    [{ ...increase, requested_amount: 24_000 }, 'ACCEPT 24000 B2 B', 'LIMIT_RAISED'],
    [{ ...increase, requested_amount: 36_000 }, 'ACCEPT 30000 B2 B', 'REQUEST_ABOVE_BAND'],
    [
      { ...increase, existing_limit: 30_000, requested_amount: 36_000 },
      'REJECT - REJECT -',
      'INCREASE_NOT_JUSTIFIED',
    ],
    [
      { ...increase, existing_limit: 30_000, requested_amount: 36_000, ...paying(3) },
      'ACCEPT 36000 B2 B',
      'LIMIT_RAISED',
    ],
    [
      { ...increase, requested_amount: 24_000, days_past_due_max: 5 },
      'REJECT - REJECT -',
      'INCREASE_NOT_JUSTIFIED',
    ],
    [{ ...increase, requested_amount: 120_001 }, 'REFER 30000 B2 B', 'REQUEST_FAR_ABOVE_BAND'],
  ],
};

const answerTo = async (more: Partial<PolicyInputs>) => {
  return textOf(await evaluatePolicy(defaultPolicy(), { ...ORDINARY, ...more }));
};

const textOf = ({ outcome, limit, risk_band, price_class, reasons }: Verdict) => [
  `${outcome} ${limit ?? '-'} ${risk_band} ${price_class ?? '-'}`,
  reasons[0],
];

describe.each(Object.entries(ROWS))('the default policy: %s', (_what, rows) => {
  it.each(rows)('%j → %s because of %s', async (more, answer, reason) => {
    expect(await answerTo(more)).toEqual([answer, reason]);
  });
});

describe('the default policy', () => {
  it('never grants more than was requested', async () => {
    for (const sample of SAMPLE_INPUTS) {
      const { outcome, limit } = await evaluatePolicy(defaultPolicy(), sample, { isTraced: false });
      if (outcome === 'ACCEPT' && sample.requested_amount !== null)
        expect(limit, JSON.stringify(sample)).toBeLessThanOrEqual(sample.requested_amount);
    }
  });

  it.each([
    [{}, 'ACCEPT 500 C1 C', 'STARTER_LIMIT'],
    [{ requested_amount: 400 }, 'ACCEPT 400 C1 C', 'STARTER_LIMIT'],
    [{ requested_amount: 2_000 }, 'ACCEPT 500 C1 C', 'REQUEST_ABOVE_BAND'],
    [{ requested_amount: 2_001 }, 'REFER 500 C1 C', 'REQUEST_FAR_ABOVE_BAND'],
    [{ email_domains_24h_company: 2 }, 'REFER 500 C1 C', 'SEVERAL_EMAIL_DOMAINS'],
    [{ ...renewal }, 'REFER 20000 C1 C', 'NOTHING_VERIFIED'],
    [{ ...renewal, existing_limit: 400 }, 'ACCEPT 400 C1 C', 'STARTER_LIMIT'],
    [{ ...renewal, existing_limit: 500, orders_closed: 9 }, 'REFER 550 C1 C', 'NOTHING_VERIFIED'],
    [{ name_matches: false }, 'REFER 8000 C1 C', 'NAME_MISMATCH'],
  ] as Row[])('with a starter limit of 500 and %j → %s because of %s', async (more, answer, reason) => {
    const graph = structuredClone(defaultPolicy().graph);
    const starter = graph.nodes.find(({ id }) => id === 'starter-limit') as { content: TableContent };
    (starter.content.rules[0] as Record<string, string>)['starter-limit-out-1'] = '500';
    const verdict = await evaluatePolicy(
      { graph, sha256: sha256Of(graph) },
      { ...ORDINARY, ...unconfirmed, ...more },
    );
    expect(textOf(verdict)).toEqual([answer, reason]);
  });

  it('returns the rules that fired, in order, with their reasons', async () => {
    const { reasons, buyer_reasons, rulesFired } = await evaluatePolicy(defaultPolicy(), {
      ...ORDINARY,
      ...renewal,
      ...paying(4, { paid_late_percent_12m: 75 }),
    });
    expect(reasons).toEqual(['LIMIT_LOWERED', 'ESTABLISHED_COMPANY', 'IDENTIFIERS_VERIFIED', 'OFTEN_LATE']);
    expect(buyer_reasons).toEqual(['LIMIT_LOWERED']);
    expect(rulesFired.map(({ rule }) => rule)).toEqual([
      'magnitude-other',
      'knock-out-none',
      'identity-registry',
      'starter-confirmed',
      'applicant-later',
      'band-limited',
      'score-none',
      'history-often-late',
      'outcome-lowered',
      'price-b',
    ]);
    expect(rulesFired[5]).toEqual({
      node: 'Risk band',
      rule: 'band-limited',
      description: 'Limited company or cooperative of two years or more',
    });
  });
});
