import { describe, expect, it } from 'vitest';
import type { PolicyInputs } from '../policy.schemas.ts';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { ORDINARY, SAMPLE_INPUTS } from './sample-inputs.ts';

/** What is known, beyond an ordinary company's; the outcome, limit, band and price class; the reason that decided. */
type Row = [Partial<PolicyInputs>, string, string];

const renewal = { subject: 'FACILITY_RENEWAL', existing_limit: 20_000 } as const;
/** So many invoices of the last 12 months, paid in time but for what is said. */
const paying = (invoices: number, more: Partial<PolicyInputs> = {}): Partial<PolicyInputs> => ({
  ...{ invoices_paid: invoices, invoices_paid_12m: invoices, invoices_paid_24m: invoices },
  ...{ days_beyond_terms_12m: 0, paid_late_percent_12m: 0 },
  ...more,
});
const increase = { subject: 'FACILITY_INCREASE', existing_limit: 20_000 } as const;

const ROWS: Record<string, Row[]> = {
  'a first limit, by legal form and age': [
    [{}, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ company_age_years: 2 }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ company_age_years: 1 }, 'ACCEPT 7500 C2 C', 'WITHIN_BAND'],
    [{ company_age_years: 0 }, 'ACCEPT 7500 C2 C', 'WITHIN_BAND'],
    [{ company_age_years: null }, 'ACCEPT 10000 C1 C', 'WITHIN_BAND'],
    [{ company_age_years: 10 }, 'ACCEPT 25000 B1 B', 'WITHIN_BAND'],
    [{ legal_form: 'COOPERATIVE' }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ legal_form: 'GOVERNMENT', company_age_years: null }, 'ACCEPT 100000 A1 A', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY' }, 'ACCEPT 50000 A2 A', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY', company_age_years: 1 }, 'ACCEPT 15000 C1 C', 'WITHIN_BAND'],
    [{ legal_form: 'PUBLIC_COMPANY', company_age_years: null }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ legal_form: 'PARTNERSHIP' }, 'ACCEPT 15000 C1 C', 'WITHIN_BAND'],
    [{ legal_form: 'PARTNERSHIP', company_age_years: 1 }, 'ACCEPT 7500 D1 D', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER' }, 'ACCEPT 10000 C2 C', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER', company_age_years: 0 }, 'ACCEPT 5000 D2 D', 'WITHIN_BAND'],
    [{ legal_form: 'SOLE_TRADER', company_age_years: null }, 'ACCEPT 5000 D1 D', 'WITHIN_BAND'],
    [{ legal_form: 'OTHER', company_age_years: null }, 'ACCEPT 5000 D1 D', 'WITHIN_BAND'],
  ],
  'other currencies': [
    [{ currency: 'GBP' }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'JPY' }, 'ACCEPT 3750000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'HUF' }, 'ACCEPT 10000000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'PLN' }, 'ACCEPT 100000 B2 B', 'WITHIN_BAND'],
    [{ currency: 'SEK' }, 'ACCEPT 250000 B2 B', 'WITHIN_BAND'],
  ],
  'who the company is': [
    [{ identifiers_given: 0 }, 'REFER 25000 B2 B', 'NO_IDENTIFIERS'],
    [{ identifiers_given: 2, identifiers_verified: 1 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, identifiers_given: 0 }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
  ],
  'what is past due': [
    [{ days_past_due_max: 29 }, 'ACCEPT 18750 B2 B', 'WITHIN_BAND'],
    [{ days_past_due_max: 30 }, 'REFER 18750 B2 B', 'PAST_DUE_30_TO_60_DAYS'],
    [{ days_past_due_max: 60 }, 'REFER 18750 B2 B', 'PAST_DUE_30_TO_60_DAYS'],
    [{ days_past_due_max: 61 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
    [
      { days_past_due_max: 61, identifiers_given: 0, risk_source_score: 0 },
      'REJECT - REJECT -',
      'PAST_DUE_OVER_60_DAYS',
    ],
    [{ legal_form: 'GOVERNMENT', days_past_due_max: 400 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
  ],
  'how invoices were paid before a first limit': [
    [paying(9), 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [paying(9, { paid_late_percent_12m: 60 }), 'ACCEPT 12500 B2 B', 'WITHIN_BAND'],
    [{ orders_closed: 9 }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ defaults_12m: 1, defaults_24m: 1 }, 'REJECT - REJECT -', 'DEFAULT_WITHIN_12_MONTHS'],
    [{ defaults_24m: 1 }, 'REFER 25000 B2 B', 'DEFAULT_WITHIN_24_MONTHS'],
    [{ defaults_24m: 1, days_past_due_max: 61 }, 'REJECT - REJECT -', 'PAST_DUE_OVER_60_DAYS'],
    [{ legal_form: 'GOVERNMENT', defaults_12m: 1 }, 'REJECT - REJECT -', 'DEFAULT_WITHIN_12_MONTHS'],
  ],
  'what is asked for': [
    [{ requested_amount: 1 }, 'ACCEPT 1 B2 B', 'WITHIN_BAND'],
    [{ requested_amount: 25_000 }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ requested_amount: 25_001 }, 'ACCEPT 25000 B2 B', 'REQUEST_ABOVE_BAND'],
    [{ requested_amount: 100_000 }, 'ACCEPT 25000 B2 B', 'REQUEST_ABOVE_BAND'],
    [{ requested_amount: 100_001 }, 'REFER 25000 B2 B', 'REQUEST_FAR_ABOVE_BAND'],
    [{ requested_amount: 0 }, 'REJECT - REJECT -', 'LIMIT_TOO_SMALL'],
  ],
  'what the risk source says': [
    [{ risk_source_score: 0 }, 'REFER 12500 B2 B', 'RISK_SCORE_LOW'],
    [{ risk_source_score: 19 }, 'REFER 12500 B2 B', 'RISK_SCORE_LOW'],
    [{ risk_source_score: 20 }, 'ACCEPT 12500 B2 B', 'WITHIN_BAND'],
    [{ risk_source_score: 40 }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
    [{ risk_source_score: 70 }, 'ACCEPT 31250 B2 B', 'WITHIN_BAND'],
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
    [{ ...renewal, existing_limit: 100_000, ...paying(9) }, 'ACCEPT 100000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, existing_limit: 500_000, ...paying(9) }, 'ACCEPT 500000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, existing_limit: 1, days_past_due_max: 1 }, 'REJECT - REJECT -', 'LIMIT_TOO_SMALL'],
    [{ ...renewal, existing_limit: null }, 'ACCEPT 25000 B2 B', 'WITHIN_BAND'],
  ],
  'an increase': [
    [{ ...increase, requested_amount: 24_000 }, 'ACCEPT 24000 B2 B', 'LIMIT_RAISED'],
    [{ ...increase, requested_amount: 30_000 }, 'ACCEPT 25000 B2 B', 'REQUEST_ABOVE_BAND'],
    [
      { ...increase, existing_limit: 25_000, requested_amount: 30_000 },
      'REJECT - REJECT -',
      'INCREASE_NOT_JUSTIFIED',
    ],
    [
      { ...increase, existing_limit: 25_000, requested_amount: 30_000, ...paying(3) },
      'ACCEPT 30000 B2 B',
      'LIMIT_RAISED',
    ],
    [
      { ...increase, requested_amount: 24_000, days_past_due_max: 5 },
      'REJECT - REJECT -',
      'INCREASE_NOT_JUSTIFIED',
    ],
    [{ ...increase, requested_amount: 100_001 }, 'REFER 25000 B2 B', 'REQUEST_FAR_ABOVE_BAND'],
  ],
};

const answerTo = async (more: Partial<PolicyInputs>) => {
  const verdict = await evaluatePolicy(defaultPolicy(), { ...ORDINARY, ...more });
  const { outcome, limit, risk_band, price_class, reasons } = verdict;
  return [`${outcome} ${limit ?? '-'} ${risk_band} ${price_class ?? '-'}`, reasons[0]];
};

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

  it('returns the rules that fired, in order, with their reasons', async () => {
    const { reasons, buyer_reasons, rulesFired } = await evaluatePolicy(defaultPolicy(), {
      ...ORDINARY,
      ...renewal,
      identifiers_verified: 1,
      ...paying(4, { paid_late_percent_12m: 75 }),
    });
    expect(reasons).toEqual(['LIMIT_LOWERED', 'ESTABLISHED_COMPANY', 'IDENTIFIERS_VERIFIED', 'OFTEN_LATE']);
    expect(buyer_reasons).toEqual(['LIMIT_LOWERED']);
    expect(rulesFired.map(({ rule }) => rule)).toEqual([
      'magnitude-other',
      'knock-out-none',
      'band-limited',
      'identifiers-verified',
      'score-none',
      'history-often-late',
      'outcome-lowered',
      'price-b',
    ]);
    expect(rulesFired[2]).toEqual({
      node: 'Risk band',
      rule: 'band-limited',
      description: 'Limited company or cooperative of two years or more',
    });
  });
});
