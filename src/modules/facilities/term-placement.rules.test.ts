import { describe, expect, it } from 'vitest';
import { PAYMENT_METHODS, PAYMENT_TERMS } from '#kernel/payment-term';
import { placementRefusal } from './term-placement.rules.ts';

const DAY = 86_400;
const NOW = 1_763_640_000;

describe('placementRefusal', () => {
  it('lets prepayment go with every method and every date', () => {
    for (const paymentMethod of PAYMENT_METHODS)
      expect(
        placementRefusal('PREPAYMENT', { paymentMethod, hasMandate: false, orderedAt: 0 }, NOW),
      ).toBeNull();
  });

  it.each([
    ['TRANSFER', false, null],
    ['DEBIT', false, 'NO_ACTIVE_MANDATE'],
    ['DEBIT', true, null],
    ['CARD', true, 'PAYMENT_METHOD'],
    ['CASH', true, 'PAYMENT_METHOD'],
  ] as const)('of every term on credit with %s, mandate %s, is %s', (paymentMethod, hasMandate, reason) => {
    for (const term of PAYMENT_TERMS.filter((each) => each !== 'PREPAYMENT')) {
      const refusal = placementRefusal(term, { paymentMethod, hasMandate, orderedAt: NOW }, NOW);
      expect(refusal?.unavailable ?? null).toBe(reason);
      if (refusal)
        expect(refusal.refuse()).toMatchObject({
          reason: 'PAYMENT_TERM_NOT_AVAILABLE',
          details: { payment_term: term, unavailable_reason: reason, payment_method: paymentMethod },
        });
    }
  });

  it.each([
    ['DEFER_3D', 3 * DAY, null],
    ['DEFER_3D', 3 * DAY + 1, 'ALREADY_DUE'],
    ['DEFER_120D', 120 * DAY, null],
    ['DEFER_120D', 120 * DAY + 1, 'ALREADY_DUE'],
    // From 20 October to 20 November are 31 days.
    ['SPLIT_3M', 31 * DAY, null],
    ['SPLIT_3M', 31 * DAY + 1, 'ALREADY_DUE'],
  ] as const)('of %s, %i seconds after the date of the order, is %s', (term, seconds, reason) => {
    const placement = { paymentMethod: 'TRANSFER', hasMandate: false, orderedAt: NOW - seconds } as const;
    expect(placementRefusal(term, placement, NOW)?.unavailable ?? null).toBe(reason);
  });
});
