import { describe, expect, it } from 'vitest';
import { PAYMENT_METHODS, PAYMENT_TERMS } from '#kernel/payment-term';
import { placementRefusal } from './term-placement.rules.ts';

const DAY = 86_400;
/** 12:00 on 20 November 2025, UTC. */
const NOW = 1_763_640_000;
const MIDNIGHT = NOW - (NOW % DAY);

describe('placementRefusal', () => {
  it('lets prepayment go with every method and every date', () => {
    for (const paymentMethod of PAYMENT_METHODS)
      expect(
        placementRefusal('PREPAYMENT', { paymentMethod, hasMandate: false, orderedAt: 0 }, 'UTC', NOW),
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
      const refusal = placementRefusal(term, { paymentMethod, hasMandate, orderedAt: NOW }, 'UTC', NOW);
      expect(refusal?.unavailable ?? null).toBe(reason);
      if (refusal)
        expect(refusal.refuse()).toMatchObject({
          reason: 'PAYMENT_TERM_NOT_AVAILABLE',
          details: { payment_term: term, unavailable_reason: reason, payment_method: paymentMethod },
        });
    }
  });

  it.each([
    ['DEFER_3D', 3, null],
    ['DEFER_3D', 4, 'ALREADY_DUE'],
    ['DEFER_120D', 120, null],
    ['DEFER_120D', 121, 'ALREADY_DUE'],
    // From 20 October to 20 November are 31 days.
    ['SPLIT_3M', 31, null],
    ['SPLIT_3M', 32, 'ALREADY_DUE'],
  ] as const)('of %s, on the day %i after that of the order, is %s', (term, days, reason) => {
    for (const now of [MIDNIGHT, NOW, MIDNIGHT + DAY - 1]) {
      const placement = {
        paymentMethod: 'TRANSFER',
        hasMandate: false,
        orderedAt: NOW - days * DAY,
      } as const;
      expect(placementRefusal(term, placement, 'UTC', now)?.unavailable ?? null).toBe(reason);
    }
  });

  it('of a term whose day has ended in the time zone of the platform is ALREADY_DUE', () => {
    const placement = { paymentMethod: 'TRANSFER', hasMandate: false, orderedAt: NOW - 3 * DAY } as const;
    const midnight = Date.parse('2025-11-21T00:00:00Z') / 1_000;
    const reasonAt = (timeZone: string, now: number) =>
      placementRefusal('DEFER_3D', placement, timeZone, now)?.unavailable ?? null;
    expect([reasonAt('UTC', midnight - 1), reasonAt('UTC', midnight)]).toEqual([null, 'ALREADY_DUE']);
    expect(reasonAt('Asia/Tokyo', midnight - 9 * 3_600)).toBe('ALREADY_DUE');
    expect(reasonAt('America/New_York', midnight)).toBeNull();
  });
});
