import { describe, expect, it } from 'vitest';
import { earliestPayoutDay, instructionFor, payoutDayRefusal, setOffOf } from './payout.rules.ts';

const EUR = { currency: 'EUR' } as const;
const terms = { today: '2026-03-02', requestedOn: null, minBusinessDays: 2, payoutTermDays: 0 };

describe('earliestPayoutDay', () => {
  it.each([
    ['business days from today', {}, '2026-03-04'],
    ['over a weekend', { today: '2026-03-05' }, '2026-03-09'],
    ['over Easter', { today: '2026-04-02' }, '2026-04-08'],
    ['a later wish', { requestedOn: '2026-03-10' }, '2026-03-10'],
    ['an earlier wish', { requestedOn: '2026-03-03' }, '2026-03-04'],
    ['a wish on a Sunday', { requestedOn: '2026-03-15' }, '2026-03-16'],
    ['a payout term', { payoutTermDays: 14 }, '2026-03-16'],
    ['a payout term that ends on Good Friday', { payoutTermDays: 32 }, '2026-04-07'],
    [
      'the latest of all',
      { requestedOn: '2026-03-12', payoutTermDays: 9, minBusinessDays: 10 },
      '2026-03-16',
    ],
  ])('is by %s', (_, more, day) => expect(earliestPayoutDay(EUR, { ...terms, ...more })).toBe(day));
});

describe('payoutDayRefusal', () => {
  const refused = (requestedOn: string, more: object = {}) =>
    payoutDayRefusal(EUR, { ...terms, ...more, requestedOn });

  it.each([['2026-03-04'], ['2026-03-05'], ['2027-03-02']])('lets %s pass', (day) =>
    expect(refused(day)).toBe(null),
  );

  it.each([
    ['yesterday', '2026-03-01', {}, '2026-03-04'],
    ['tomorrow', '2026-03-03', {}, '2026-03-04'],
    ['before the payout term', '2026-03-05', { payoutTermDays: 7 }, '2026-03-09'],
  ])('is PAYOUT_DATE_TOO_EARLY for %s', (_, day, more, earliest) =>
    expect(refused(day, more)).toMatchObject({
      ...{ reason: 'PAYOUT_DATE_TOO_EARLY', details: { requested_on: day, earliest_on: earliest } },
    }),
  );

  it.each([
    ['a Saturday', '2026-03-07', '2026-03-09'],
    ['Good Friday', '2026-04-03', '2026-04-07'],
  ])('is PAYOUT_DATE_NOT_BUSINESS_DAY for %s', (_, day, next) =>
    expect(refused(day)).toMatchObject({
      ...{ reason: 'PAYOUT_DATE_NOT_BUSINESS_DAY', details: { requested_on: day, earliest_on: next } },
    }),
  );
});

describe('instructionFor', () => {
  const of = (...types: ('SEPA' | 'FPS' | 'SWIFT')[]) =>
    types.map((type, index) => ({ external_id: `a${index}`, merchant_external_id: 'm', type, version: 1 }));

  it.each([
    ['EUR', of('SWIFT', 'SEPA', 'SEPA'), 'a1'],
    ['EUR', of('FPS', 'SWIFT'), 'a1'],
    ['EUR', of('FPS'), undefined],
    ['GBP', of('SEPA', 'FPS'), 'a1'],
    ['GBP', of('SEPA', 'SWIFT'), 'a1'],
    ['JPY', of('SEPA', 'FPS', 'SWIFT', 'SWIFT'), 'a2'],
    ['JPY', of('SEPA', 'FPS'), undefined],
  ] as const)('pays %s to the right one', (currency, instructions, id) =>
    expect(instructionFor(currency, instructions)?.external_id).toBe(id),
  );
});

describe('setOffOf', () => {
  it.each([
    ['nothing is owed', 1_000, 0, 0],
    ['less is owed than due', 1_000, 400, 400],
    ['as much is owed', 1_000, 1_000, 1_000],
    ['more is owed: the rest is carried over', 1_000, 1_400, 1_000],
    ['the merchant overpaid', 1_000, -300, -300],
    ['nothing is due', 0, 500, 0],
    ['more was taken back than is due', -1, 500, null],
    ['nothing is due, and the merchant overpaid', 0, -300, -300],
    ['more was taken back than the merchant overpaid', -400, -300, null],
    ['less was taken back than the merchant overpaid', -200, -300, -300],
  ])('where %s', (_, due, owed, setOff) => expect(setOffOf(due, owed)).toBe(setOff));
});
