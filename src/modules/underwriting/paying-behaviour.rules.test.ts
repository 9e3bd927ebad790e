import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  behaviourInputs,
  NO_BEHAVIOUR,
  PAYING_PERIODS,
  type PaidPeriod,
  type PayingPeriod,
} from './paying-behaviour.rules.ts';

/** Invoices of one period, each an amount and the days it was late: `100/0 50/30`. Late means later than seven days. */
function paid(period: PayingPeriod, invoices: string): PaidPeriod {
  const each = invoices.split(' ').map((text) => text.split('/').map(Number) as [number, number]);
  const sumOf = (value: (amount: number, days: number) => number) =>
    BigInt(each.reduce((sum, [amount, days]) => sum + value(amount, days), 0));
  return {
    period,
    invoices: each.length,
    invoicesLate: each.filter(([, days]) => days > 0).length,
    daysLateMax: Math.max(...each.map(([, days]) => days)),
    weighed: {
      invoices: each.length,
      amountMinor: sumOf((amount) => amount),
      amountDays: sumOf((amount, days) => amount * days),
      lateMinor: sumOf((amount, days) => (days > 7 ? amount : 0)),
    },
  };
}

const inputsOf = (...periods: PaidPeriod[]) => behaviourInputs({ ...NO_BEHAVIOUR, paid: periods }, Number);

describe('days beyond terms', () => {
  it.each<[what: string, invoices: string, days: number, latePercent: number]>([
    ['of invoices paid in time are 0', '100/0 900/0', 0, 0],
    ['of one invoice are its own', '100/12', 12, 100],
    ['are weighed by amount', '900/0 100/30', 3, 10],
    ['of a small late invoice hardly count', '99000/0 1000/40', 0, 1],
    ['at a half are rounded to the even day below', '100/2 100/3', 2, 0],
    ['at a half are rounded to the even day above', '100/3 100/4', 4, 0],
    ['within the grace are not late', '100/7 100/7', 7, 0],
    ['beyond it are', '100/8 100/7', 8, 50],
    ['of the largest amounts are exact', '999999999999999/1 1/3', 1, 0],
  ])('%s', (_what, invoices, days, latePercent) => {
    expect(inputsOf(paid('HALF_YEAR', invoices))).toMatchObject({
      days_beyond_terms_12m: days,
      days_beyond_terms_24m: days,
      paid_late_percent_12m: latePercent,
    });
  });

  it('are unknown, not 0, where nothing was paid in the facility’s currency', () => {
    const foreign = {
      ...paid('HALF_YEAR', '100/40'),
      weighed: { invoices: 0, amountMinor: 0n, amountDays: 0n, lateMinor: 0n },
    };
    expect(inputsOf(foreign)).toMatchObject({
      invoices_paid: 1,
      invoices_paid_12m: 0,
      days_beyond_terms_12m: null,
      paid_late_percent_12m: null,
      worst_days_late_12m: 40,
      payment_trend: 'UNKNOWN',
    });
  });

  it('lie between the best and the worst invoice, however the amounts are', () => {
    const invoice = fc.tuple(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 0, max: 400 }));
    fc.assert(
      fc.property(fc.array(invoice, { minLength: 1, maxLength: 30 }), (invoices) => {
        const text = invoices.map(([amount, days]) => `${amount}/${days}`).join(' ');
        const { days_beyond_terms_12m: days } = inputsOf(paid('HALF_YEAR', text));
        expect(days).toBeGreaterThanOrEqual(Math.min(...invoices.map(([, each]) => each)));
        expect(days).toBeLessThanOrEqual(Math.max(...invoices.map(([, each]) => each)));
      }),
    );
  });
});

describe('the last 12 and 24 months', () => {
  it('add the periods that they hold', () => {
    const periods = PAYING_PERIODS.map((period, nth) => paid(period, `${10 ** nth}/${nth * 10}`));
    expect(inputsOf(...periods)).toMatchObject({
      invoices_paid: 4,
      invoices_paid_late: 3,
      invoices_paid_12m: 2,
      invoices_paid_24m: 3,
      worst_days_late_12m: 10,
      worst_days_late_24m: 20,
      days_beyond_terms_12m: 9,
      days_beyond_terms_24m: 19,
    });
  });

  it('count defaults, and their amount in whole units of the facility’s currency', () => {
    const defaults = PAYING_PERIODS.map((period, nth) => ({
      period,
      defaults: nth + 1,
      amountMinor: BigInt(10 ** nth),
    }));
    expect(behaviourInputs({ ...NO_BEHAVIOUR, ordersClosed: 7, defaults }, Number)).toMatchObject({
      orders_closed: 7,
      defaults_12m: 3,
      defaults_24m: 6,
      default_amount_12m: 11,
      default_amount_24m: 111,
    });
  });

  it('of a buyer without a past are empty and unknown', () => {
    expect(behaviourInputs(NO_BEHAVIOUR, Number)).toEqual({
      orders_closed: 0,
      invoices_paid: 0,
      invoices_paid_late: 0,
      invoices_paid_12m: 0,
      invoices_paid_24m: 0,
      days_beyond_terms_12m: null,
      days_beyond_terms_24m: null,
      worst_days_late_12m: 0,
      worst_days_late_24m: 0,
      paid_late_percent_12m: null,
      paid_late_percent_24m: null,
      payment_trend: 'UNKNOWN',
      defaults_12m: 0,
      defaults_24m: 0,
      default_amount_12m: 0,
      default_amount_24m: 0,
    });
  });
});

describe('the trend', () => {
  it.each([
    ['UNKNOWN', '1/0 1/0', '1/90 1/90 1/90'],
    ['UNKNOWN', '1/90 1/90 1/90', '1/0 1/0'],
    ['STABLE', '1/4 1/4 1/4', '1/0 1/0 1/0'],
    ['WORSENING', '1/5 1/5 1/5', '1/0 1/0 1/0'],
    ['IMPROVING', '1/0 1/0 1/0', '1/5 1/5 1/5'],
    ['STABLE', '1/0 1/0 1/0', '1/4 1/5 1/5'],
    // 8 days later by count, and 4.8 by amount.
    ['STABLE', '2/0 2/0 1/24', '1/0 1/0 1/0'],
    ['WORSENING', '2/0 2/0 1/25', '1/0 1/0 1/0'],
  ])('is %s where %s follow %s', (trend, recent, before) => {
    const inputs = inputsOf(paid('HALF_YEAR', recent), paid('HALF_YEAR_BEFORE', before));
    expect(inputs.payment_trend).toBe(trend);
  });

  it('needs both half-years', () => {
    expect(inputsOf(paid('HALF_YEAR', '1/9 1/9 1/9')).payment_trend).toBe('UNKNOWN');
  });
});
