import { describe, expect, it } from 'vitest';
import { accept, answers, defaulted, order, REFER, type Said } from '#test/backtest-past';
import type { PastDefault } from './past-credit.rules.ts';
import { amountLost, lossesAt } from './past-credit.rules.ts';
import { replay } from './replay.rules.ts';
import { expectedLossOf, vintagesOf } from './vintage.rules.ts';

const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000;

describe('what became of a default', () => {
  it.each<[what: string, changes: string[], open: number, net: number]>([
    ['nothing yet', [], 100, 0],
    ['a part was paid', ['PAID 30 2'], 70, 0],
    ['a payment bounced', ['PAID 30 2', 'PAID -30 3'], 100, 0],
    ['it was not owed', ['CORRECTED 100 2'], 0, 0],
    ['the rest was written off', ['PAID 30 2', 'WRITTEN_OFF 70 3'], 0, 70],
    ['some of that was recovered', ['PAID 30 2', 'WRITTEN_OFF 70 3', 'RECOVERED 10 4'], 0, 60],
    ['all of it was recovered', ['WRITTEN_OFF 100 3', 'RECOVERED 100 4'], 0, 0],
  ])('%s', (_what, changes, stillOpen, netLoss) => {
    const losses = lossesAt([defaulted('a 100 1', changes)], 10);
    expect(losses).toMatchObject({ stillOpen, netLoss });
    const { defaulted: amount, paidSince, writtenOff, recovered } = losses;
    expect(stillOpen + netLoss).toBe(amount - paidSince - recovered);
    expect(netLoss).toBe(writtenOff - recovered);
    expect(amountLost(losses)).toBe(stillOpen + netLoss);
  });

  it('is what was known at the instant', () => {
    const past = [defaulted('a 100 10', ['WRITTEN_OFF 100 20', 'RECOVERED 40 30'])];
    expect([9, 10, 20, 30].map((instant) => lossesAt(past, instant))).toMatchObject([
      { defaulted: 0, stillOpen: 0, netLoss: 0 },
      { defaulted: 100, stillOpen: 100, netLoss: 0 },
      { stillOpen: 0, writtenOff: 100, netLoss: 100 },
      { writtenOff: 100, recovered: 40, netLoss: 60 },
    ]);
  });
});

describe('vintages', () => {
  const NOW = at('2026-03-01');
  const vintages = (said: Said[], orders: Parameters<typeof order>[], defaults: PastDefault[], now = NOW) => {
    const answered = answers(...said);
    const past = orders.map(([text, more]) => order(text, more));
    return vintagesOf(answered, replay(answered, past, 400).granted, defaults, now);
  };

  it('are the months of the decisions in UTC, over the end of a year, with what each granted', () => {
    const found = vintages(
      [
        accept(100, { decidedAt: at('2025-12-31') + 86_399 }),
        { ...REFER, decidedAt: at('2026-01-01') },
        accept(250, { decidedAt: at('2026-01-31') }),
      ],
      [],
      [],
    );
    expect(
      found.map(({ month, applications, approvals, granted }) => [month, applications, approvals, granted]),
    ).toEqual([
      ['2025-12', 1, 1, 100],
      ['2026-01', 2, 1, 250],
    ]);
  });

  it('judge a decision by the orders that it carried, after 3, 6 and 12 months', () => {
    const [vintage] = vintages(
      [accept(1_000, { decidedAt: at('2025-01-15') })],
      [
        [`early 400 ${at('2025-02-01')} ${at('2025-03-01')}`],
        [`lost 300 ${at('2025-03-01')}`],
        [`late 200 ${at('2025-10-01')}`],
      ],
      [
        defaulted(`lost 300 ${at('2025-07-15')}`, [
          `WRITTEN_OFF 300 ${at('2025-10-15')}`,
          `RECOVERED 120 ${at('2026-02-01')}`,
        ]),
      ],
    );
    expect(vintage?.after).toEqual({
      3: { used: 700, lost: 0 },
      6: { used: 700, lost: 300 },
      12: { used: 900, lost: 300 },
    });
    expect(vintage).toMatchObject({ used: 900, writtenOff: 300, recovered: 120, netLoss: 180, stillOpen: 0 });
  });

  it('are open until the last day of the month has the months behind it', () => {
    const afterOf = (now: number) =>
      vintages([accept(1, { decidedAt: at('2025-01-02') })], [], [], now)[0]?.after;
    expect(afterOf(at('2025-05-01') - 1)).toEqual({ 3: null, 6: null, 12: null });
    expect(afterOf(at('2025-05-01'))).toEqual({ 3: { used: 0, lost: 0 }, 6: null, 12: null });
    expect(afterOf(at('2026-02-01') - 1)?.[12]).toBeNull();
    expect(afterOf(at('2026-02-01'))?.[12]).toEqual({ used: 0, lost: 0 });
  });

  it('have the loss of an order where its decision was made, not where a later one was', () => {
    const found = vintages(
      [accept(100, { decidedAt: at('2025-01-15') }), accept(100, { decidedAt: at('2025-04-15') })],
      [[`a 60 ${at('2025-04-01')}`]],
      [defaulted(`a 60 ${at('2025-08-01')}`)],
    );
    expect(found.map(({ month, used, stillOpen }) => [month, used, stillOpen])).toEqual([
      ['2025-01', 60, 60],
      ['2025-04', 0, 0],
    ]);
  });
});

describe('the expected loss', () => {
  const granted = (riskBand: 'A1' | 'B2' | 'D2' | null, exposureMinor: number, days: number) => ({
    answer: answers(accept(1, { riskBand }))[0] as ReturnType<typeof answers>[number],
    limitMinor: 1,
    from: 0,
    until: days * 86_400,
    kept: [],
    exposureMinor,
  });
  it.each([
    ['a year of B2 is 1 percent', [granted('B2', 1_000_000, 365)], 1_000, 10_000],
    ['a fifth of a year is a fifth', [granted('B2', 4_000_000, 73)], 1_000, 8_000],
    ['no decision counts for more than a year', [granted('B2', 1_000_000, 800)], 1_000, 10_000],
    ['one in force counts up to now', [granted('B2', 1_000_000, 365)], 73, 2_000],
    ['a person’s without a band counts as the weakest', [granted(null, 1_000_000, 365)], 1_000, 160_000],
    ['of two is rounded once', [granted('A1', 500, 365), granted('A1', 1_500, 365)], 1_000, 2],
    ['of nothing used is nothing', [granted('D2', 0, 365)], 1_000, 0],
  ])('%s', (_what, decisions, nowDays, minor) => {
    expect(expectedLossOf(decisions, nowDays * 86_400)).toBe(minor);
  });
});
