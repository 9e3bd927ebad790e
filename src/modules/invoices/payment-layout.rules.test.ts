import { describe, expect, it } from 'vitest';
import { AMOUNTS_TIMEOUT, same, withRandomAmounts } from '#test/random-amounts';
import {
  allocationChanges,
  creditLatestFirst,
  type InstalmentClaim,
  latestInstalment,
  layOut,
} from './payment-layout.rules.ts';

const claim = (number: number, amount: number, more: Partial<InstalmentClaim> = {}): InstalmentClaim => ({
  number,
  due_on: `2026-0${number}-01`,
  amount,
  fee_amount: 0,
  credited_amount: 0,
  ...more,
});
const money = (...amounts: number[]) =>
  amounts.map((amountMinor, index) => ({ paymentId: `p${index + 1}`, amountMinor }));
/** `p1 1: 10+90`: the payment, the instalment, its fee and its goods. */
const written = (allocated: ReturnType<typeof layOut>) =>
  allocated.map(
    ({ paymentId, installment, feeMinor, goodsMinor }) =>
      `${paymentId} ${installment}: ${feeMinor}+${goodsMinor}`,
  );

const WITH_FEE = [claim(1, 100, { fee_amount: 10 }), claim(2, 100), claim(3, 50, { credited_amount: 20 })];

describe('the layout of money', () => {
  it.each<[string, number[], string[]]>([
    ['nothing', [], []],
    ['less than the fee', [4], ['p1 1: 4+0']],
    ['the fee before the goods', [30], ['p1 1: 10+20']],
    ['the earliest instalment first', [150], ['p1 1: 10+100', 'p1 2: 0+40']],
    [
      'each payment after the one before it',
      [4, 10, 100],
      ['p1 1: 4+0', 'p2 1: 6+4', 'p3 1: 0+96', 'p3 2: 0+4'],
    ],
    ['goods without what is credited of them', [240], ['p1 1: 10+100', 'p1 2: 0+100', 'p1 3: 0+30']],
    ['no more than is claimed', [200, 100], ['p1 1: 10+100', 'p1 2: 0+90', 'p2 2: 0+10', 'p2 3: 0+30']],
    ['nothing of a payment that comes too late', [240, 7], ['p1 1: 10+100', 'p1 2: 0+100', 'p1 3: 0+30']],
  ])('settles %s', (_, amounts, expected) => {
    expect(written(layOut(WITH_FEE, money(...amounts)))).toEqual(expected);
  });
});

describe('the changes between two layouts', () => {
  it('take back and give, and are silent about the rest', () => {
    const before = layOut(WITH_FEE, money(110, 50));
    const after = layOut(WITH_FEE, money(110, 50).slice(1));
    expect(written(allocationChanges(before, after))).toEqual([
      'p1 1: -10+-100',
      'p2 2: 0+-50',
      'p2 1: 10+40',
    ]);
    expect(allocationChanges(after, after)).toEqual([]);
  });
});

describe('credited goods', () => {
  it.each<[number, number[]]>([
    [0, [0, 0, 20]],
    [30, [0, 0, 50]],
    [31, [0, 1, 50]],
    [230, [100, 100, 50]],
  ])('of %i are those of the latest instalments', (amount, expected) => {
    expect(creditLatestFirst(WITH_FEE, amount)).toEqual(expected);
  });
});

describe('the instalment that was paid latest after its day', () => {
  const claims = [claim(1, 100), claim(2, 100)];
  const paid = (...payments: [day: string, amount: number][]) =>
    payments.map(([paidOn, amountMinor], index) => ({ paymentId: `p${index + 1}`, paidOn, amountMinor }));

  it.each<[string, [string, number][], object | undefined]>([
    ['early', [['2025-12-31', 200]], { dueOn: '2026-01-01', paidOn: '2025-12-31' }],
    [
      'late once, and on its day afterwards',
      [
        ['2026-01-21', 100],
        ['2026-02-01', 100],
      ],
      { dueOn: '2026-01-01', paidOn: '2026-01-21' },
    ],
    [
      'in parts, of which the last one counts',
      [
        ['2026-01-01', 99],
        ['2026-03-01', 101],
      ],
      { dueOn: '2026-01-01', paidOn: '2026-03-01' },
    ],
    [
      'by money that was heard of later than it came',
      [
        ['2026-02-01', 100],
        ['2026-01-01', 100],
      ],
      { dueOn: '2026-01-01', paidOn: '2026-01-01' },
    ],
    ['never', [], undefined],
  ])('is known of an invoice that was paid %s', (_, payments, expected) => {
    expect(latestInstalment(claims, paid(...payments))).toEqual(expected);
  });
});

describe('random amounts', () => {
  it('are settled in parts that sum to the whole, the first money first', { timeout: AMOUNTS_TIMEOUT }, () =>
    withRandomAmounts((random) => {
      const claims = Array.from({ length: 1 + random.below(4) }, (_, index) =>
        claim(index + 1, random.below(1_000_000_000), { fee_amount: index === 0 ? random.below(10_000) : 0 }),
      );
      const grossMinor = claims.reduce((sum, { amount }) => sum + amount, 0);
      const credited = creditLatestFirst(claims, random.below(grossMinor + 1));
      const credits = claims.map((each, index) => ({ ...each, credited_amount: credited[index] as number }));
      const payments = money(...Array.from({ length: random.below(5) }, () => 1 + random.below(600_000_000)));
      const laid = layOut(credits, payments);
      const claimed = credits.reduce(
        (sum, { amount, fee_amount, credited_amount }) => sum + amount + fee_amount - credited_amount,
        0,
      );
      const paid = payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const settled = laid.reduce((sum, { feeMinor, goodsMinor }) => sum + feeMinor + goodsMinor, 0);
      same(settled, Math.min(claimed, paid), 'what is settled');
      const fees = laid.reduce((sum, { feeMinor }) => sum + feeMinor, 0);
      same(fees, Math.min(paid, claims[0]?.fee_amount ?? 0), 'what of it is the fee');
      for (const { paymentId, amountMinor } of payments) {
        const ofPayment = laid.filter((each) => each.paymentId === paymentId);
        const part = ofPayment.reduce((sum, { feeMinor, goodsMinor }) => sum + feeMinor + goodsMinor, 0);
        same(part <= amountMinor, true, `what ${paymentId} settles`);
      }
    }),
  );
});
