/** What the default policy grants for an order, and in addition to other buyers of the company. */
import { describe, expect, it } from 'vitest';
import type { PolicyInputs } from '../policy.schemas.ts';
import { defaultPolicy } from './default-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { ORDINARY } from './sample-inputs.ts';

/** What is known, beyond an ordinary company's; the outcome, limit, band and price class; the reason that decided. */
type Row = [Partial<PolicyInputs>, string, string];

const renewal = { subject: 'FACILITY_RENEWAL', existing_limit: 20_000 } as const;
const increase = { subject: 'FACILITY_INCREASE', existing_limit: 20_000 } as const;

const ROWS: Record<string, Row[]> = {
  'other buyers of the company': [
    [{ entity_buyers: 1 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ entity_buyers: 1, entity_limit: 10_000 }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [
      { entity_buyers: 1, entity_limit: 10_000, requested_amount: 20_001 },
      'ACCEPT 20000 B2 B',
      'REQUEST_ABOVE_BAND',
    ],
    [{ entity_buyers: 1, entity_limit: 29_999 }, 'ACCEPT 1 B2 B', 'WITHIN_BAND'],
    [{ entity_buyers: 2, entity_limit: 30_000 }, 'REFER - B2 B', 'SAME_ENTITY'],
    [{ entity_buyers: 2, entity_limit: 90_000 }, 'REFER - B2 B', 'SAME_ENTITY'],
    [{ entity_buyers: 1, entity_in_other_currency: true }, 'REFER - B2 B', 'SAME_ENTITY'],
    [{ entity_buyers: 1, applicant_proof: 'CONFIRMED_ADDRESS' }, 'REFER 30000 B2 B', 'SAME_ENTITY'],
    [{ entity_buyers: 1, applicant_proof: 'ADDRESS_ON_FILE' }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, entity_buyers: 1, entity_limit: 10_000 }, 'ACCEPT 20000 B2 B', 'WITHIN_BAND'],
    [{ ...renewal, entity_buyers: 1, entity_limit: 12_000 }, 'ACCEPT 18000 B2 B', 'LIMIT_LOWERED'],
    [{ ...renewal, entity_buyers: 1, entity_limit: 30_000 }, 'REFER - B2 B', 'SAME_ENTITY'],
    [
      { ...increase, requested_amount: 25_000, entity_buyers: 1, entity_limit: 6_000 },
      'ACCEPT 24000 B2 B',
      'REQUEST_ABOVE_BAND',
    ],
    [
      { ...increase, requested_amount: 25_000, entity_buyers: 1, entity_limit: 10_000 },
      'REFER - B2 B',
      'SAME_ENTITY',
    ],
  ],
  'an order behind the application': [
    [{ order_amount: 1 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ order_amount: 30_000 }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ order_amount: 30_001 }, 'ACCEPT 30000 B2 B', 'REQUEST_ABOVE_BAND'],
    [{ order_amount: 120_001 }, 'REFER 30000 B2 B', 'REQUEST_FAR_ABOVE_BAND'],
    [{ order_amount: 23_999, delivery_differs: true }, 'ACCEPT 30000 B2 B', 'WITHIN_BAND'],
    [{ order_amount: 24_000, delivery_differs: true }, 'REFER 30000 B2 B', 'FIRST_ORDER_NEAR_LIMIT'],
    [{ order_amount: 5_000, requested_amount: 6_000 }, 'ACCEPT 6000 B2 B', 'WITHIN_BAND'],
    [{ ...increase, order_amount: 500, existing_exposure: 19_800 }, 'ACCEPT 30000 B2 B', 'LIMIT_RAISED'],
    [
      { ...increase, order_amount: 10_500, existing_exposure: 19_800 },
      'ACCEPT 30000 B2 B',
      'REQUEST_ABOVE_BAND',
    ],
    [
      { ...increase, existing_limit: 30_000, order_amount: 500, existing_exposure: 29_800 },
      'REJECT - REJECT -',
      'INCREASE_NOT_JUSTIFIED',
    ],
  ],
};

describe.each(Object.entries(ROWS))('the default policy: %s', (_what, rows) => {
  it.each(rows)('%j → %s because of %s', async (more, answer, reason) => {
    const inputs = { ...ORDINARY, ...more };
    const { outcome, limit, risk_band, price_class, reasons } = await evaluatePolicy(defaultPolicy(), inputs);
    expect([`${outcome} ${limit ?? '-'} ${risk_band} ${price_class ?? '-'}`, reasons[0]]).toEqual([
      answer,
      reason,
    ]);
  });
});
