import { describe, expect, it } from 'vitest';
import { facilityRow } from '#test/facilities';
import { creditRefusal, needsReview, type Overdue, roomOf, type Standing } from './credit.rules.ts';
import type { FacilityRow } from './facility.queries.ts';
import { DEFAULT_LIMIT_POLICY, type LimitPolicy } from './limit-policy.rules.ts';

const DAY = 86_400;
/** The start of a day in UTC, so that days past due are what the table says. */
const NOW = 20_412 * DAY;

const FACILITY = facilityRow(NOW);

const having = (facility: Partial<FacilityRow>, policy: Partial<LimitPolicy> = {}): Standing => {
  const row = { ...FACILITY, ...facility };
  const available = row.total_amount - row.used_amount - row.pending_orders_amount;
  return {
    timeZone: 'UTC',
    facility: { ...row, available_amount: Math.max(0, available) },
    limitPolicy: { ...DEFAULT_LIMIT_POLICY, ...policy },
    overdue: [],
    increaseDecisionId: null,
  };
};

const reasonFor = (standing: Standing, grossMinor: number, now = NOW) =>
  creditRefusal(standing, { grossMinor, currency: 'EUR' }, now)?.reason ?? 'passes';

describe('an order on credit', () => {
  it.each<[string, Standing, number, string]>([
    ['all that is available', having({}), 100_000, 'passes'],
    ['a cent more', having({}), 100_001, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'],
    ['what use leaves', having({ used_amount: 60_000 }), 40_000, 'passes'],
    ['more than use leaves', having({ used_amount: 60_000 }), 40_001, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'],
    ['what orders leave', having({ pending_orders_amount: 60_000 }), 40_000, 'passes'],
    [
      'more than orders leave',
      having({ pending_orders_amount: 60_000 }),
      40_001,
      'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    ],
    [
      'what use and orders leave together',
      having({ used_amount: 30_000, pending_orders_amount: 60_000 }),
      10_000,
      'passes',
    ],
    [
      'anything once all is taken',
      having({ used_amount: 40_000, pending_orders_amount: 60_000 }),
      1,
      'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    ],
    [
      'anything where a renewal lowered the limit below use',
      having({ total_amount: 50_000, used_amount: 80_000 }),
      1,
      'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    ],
    ['anything on no limit', having({ total_amount: 0 }), 1, 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'],
    ['up to the tolerance', having({}, { tolerancePercent: 10 }), 110_000, 'passes'],
    [
      'a cent over the tolerance',
      having({}, { tolerancePercent: 10 }),
      110_001,
      'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    ],
    [
      'the tolerance, which is of the limit and not of what is left',
      having({ used_amount: 90_000 }, { tolerancePercent: 10 }),
      20_000,
      'passes',
    ],
    ['a tolerance of a part of a cent', having({ total_amount: 99 }, { tolerancePercent: 1 }), 99, 'passes'],
    [
      'a tolerance of a part of a cent, rounded up',
      having({ total_amount: 99 }, { tolerancePercent: 1 }),
      100,
      'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    ],
    ['a tolerance of a whole cent', having({ total_amount: 100 }, { tolerancePercent: 1 }), 101, 'passes'],
    [
      'twice the largest limit',
      having({ total_amount: 1_000_000_000_000 }, { tolerancePercent: 100 }),
      2_000_000_000_000,
      'passes',
    ],
    ['no facility', { ...having({}), facility: null }, 1, 'NO_ACTIVE_FACILITY'],
    ['one under review', having({ status: 'PENDING', expires_at: null }), 1, 'NO_ACTIVE_FACILITY'],
    ['a rejected one', having({ status: 'REJECTED', expires_at: null }), 1, 'NO_ACTIVE_FACILITY'],
    ['a frozen one', having({ status: 'FROZEN' }), 1, 'FACILITY_FROZEN'],
    [
      'a frozen one whose period is over',
      having({ status: 'FROZEN', expires_at: NOW }),
      1,
      'FACILITY_FROZEN',
    ],
    ['an expired one', having({ status: 'EXPIRED', expires_at: NOW - 1 }), 1, 'FACILITY_EXPIRED'],
    ['the last second of the period', having({ expires_at: NOW + 1 }), 1, 'passes'],
    ['the end of the period, before the transition', having({ expires_at: NOW }), 1, 'FACILITY_EXPIRED'],
    ['another currency', having({ currency: 'PLN' }), 1, 'FACILITY_CURRENCY_CONFLICT'],
    [
      'another currency, and too much',
      having({ currency: 'PLN', total_amount: 1 }),
      9,
      'FACILITY_CURRENCY_CONFLICT',
    ],
  ])('for %s', (_, standing, grossMinor, expected) => {
    expect(reasonFor(standing, grossMinor)).toBe(expected);
  });

  it('names the requested and the available amount', () => {
    const refused = creditRefusal(
      having({ used_amount: 70_000 }, { tolerancePercent: 5 }),
      { grossMinor: 50_000, currency: 'EUR' },
      NOW,
    );
    expect(refused?.details).toEqual({
      requested: 50_000,
      available: 30_000,
      currency: 'EUR',
      decision_id: null,
    });
  });
});

const overdue = (days: number, amount = 10_000, currency: Overdue['currency'] = 'EUR'): Overdue => ({
  // `days` days before today.
  due_at: NOW - days * DAY,
  currency,
  outstanding_amount: amount,
});

describe('what is overdue', () => {
  it.each<[string, Overdue[], Partial<LimitPolicy>, 'passes' | 'review' | 'stop']>([
    ['nothing', [], {}, 'passes'],
    ['an invoice not past due yet', [overdue(-1)], {}, 'passes'],
    ['on the last day of grace', [overdue(7)], {}, 'passes'],
    ['on the first day after the grace', [overdue(8)], {}, 'review'],
    ['on the last day before the stop', [overdue(29)], {}, 'review'],
    ['on the day of the stop', [overdue(30)], {}, 'stop'],
    ['long after it', [overdue(400)], {}, 'stop'],
    ['a residue of exactly as much as is ignored', [overdue(400, 100)], {}, 'passes'],
    ['a cent more than is ignored', [overdue(400, 101)], {}, 'stop'],
    ['many residues', Array(50).fill(overdue(400, 100)), {}, 'passes'],
    ['nothing ignored', [overdue(400, 1)], { overdueResidueAmountMinor: 0 }, 'stop'],
    ['below the amount of the stop', [overdue(40, 49_999)], { overdueStopAmountMinor: 50_000 }, 'review'],
    ['at the amount of the stop', [overdue(40, 50_000)], { overdueStopAmountMinor: 50_000 }, 'stop'],
    [
      'at the amount of the stop together',
      [overdue(40, 25_000), overdue(31, 25_000)],
      { overdueStopAmountMinor: 50_000 },
      'stop',
    ],
    [
      'at the amount only with one that is too young',
      [overdue(40, 25_000), overdue(29, 25_000)],
      { overdueStopAmountMinor: 50_000 },
      'review',
    ],
    [
      'at the amount only with residues',
      [overdue(40, 49_950), overdue(40, 50)],
      { overdueStopAmountMinor: 50_000 },
      'review',
    ],
    [
      'at the amount only if currencies were one',
      [overdue(40, 25_000), overdue(40, 25_000, 'PLN')],
      { overdueStopAmountMinor: 50_000 },
      'review',
    ],
    [
      'at the amount in another currency',
      [overdue(40, 10), overdue(40, 50_000, 'PLN')],
      { overdueStopAmountMinor: 50_000 },
      'stop',
    ],
    ['no grace at all, on the first day past due', [overdue(1)], { overdueGraceDays: 0 }, 'review'],
    ['no grace at all, on the due day', [overdue(0)], { overdueGraceDays: 0 }, 'passes'],
    ['a stop at once', [overdue(0)], { overdueStopDays: 0 }, 'stop'],
    ['a grace longer than the stop', [overdue(30)], { overdueGraceDays: 60 }, 'stop'],
    ['the stop later', [overdue(59)], { overdueStopDays: 60 }, 'review'],
  ])('%s', (_, invoices, policy, expected) => {
    const standing = { ...having({}, policy), overdue: invoices };
    const reason = reasonFor(standing, 1);
    const outcome = reason === 'BUYER_OVERDUE' ? 'stop' : needsReview(standing, NOW) ? 'review' : reason;
    expect(outcome).toBe(expected);
  });

  it('has the overdue amount and days', () => {
    const standing = { ...having({}), overdue: [overdue(31, 700), overdue(45, 300), overdue(2, 900)] };
    expect(creditRefusal(standing, { grossMinor: 1, currency: 'EUR' }, NOW)?.details).toEqual({
      overdue_amount: 1_000,
      currency: 'EUR',
      days_past_due: 45,
    });
  });

  it('comes before the limit, which paying would not change', () => {
    const standing = { ...having({ used_amount: 100_000 }), overdue: [overdue(31)] };
    expect(reasonFor(standing, 1)).toBe('BUYER_OVERDUE');
  });
});

describe('the room', () => {
  it.each([
    [100_000, 0, 0, 0, 100_000],
    [100_000, 100_000, 0, 0, 0],
    [100_000, 50_000, 70_000, 0, 0],
    [100_000, 50_000, 70_000, 30, 10_000],
    [333, 0, 0, 10, 366],
    [9, 0, 0, 10, 9],
  ])(
    'of %i with %i used and %i pending and a tolerance of %i %% is %i',
    (total, used, pending, percent, room) => {
      const facility = {
        ...FACILITY,
        total_amount: total,
        used_amount: used,
        pending_orders_amount: pending,
      };
      expect(roomOf(facility, percent)).toBe(room);
    },
  );
});
