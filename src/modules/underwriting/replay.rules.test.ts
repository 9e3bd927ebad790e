import { describe, expect, it } from 'vitest';
import { accept, answers, order, REFER, REJECT, type Said } from '#test/backtest-past';
import { replay } from './replay.rules.ts';

const idsOf = (orders: readonly { orderExternalId: string }[]) => orders.map((each) => each.orderExternalId);

const LIMIT_DAYS = 2;

describe('the replay of orders', () => {
  /** What was decided, the orders that came, how many are kept and dropped, and the peak of exposure. */
  const ROWS: [what: string, Said[], string[], [kept: number, dropped: number, peak: number]][] = [
    ['an order within the limit is kept', [accept(100)], ['a 100 1'], [1, 0, 100]],
    ['one above it is dropped', [accept(100)], ['a 101 1'], [0, 1, 0]],
    ['one before any limit is dropped', [accept(100, { decidedAt: 50 })], ['a 1 49'], [0, 1, 0]],
    ['one at the moment of the limit is kept', [accept(100, { decidedAt: 50 })], ['a 1 50'], [1, 0, 1]],
    ['two that fit one by one do not fit together', [accept(100)], ['a 60 1', 'b 60 2'], [1, 1, 60]],
    ['a dropped one takes nothing', [accept(100)], ['a 101 1', 'b 100 2'], [1, 1, 100]],
    ['what ended makes room', [accept(100)], ['a 60 1 5', 'b 60 5'], [2, 0, 60]],
    ['what ends a second later does not', [accept(100)], ['a 60 1 6', 'b 60 5'], [1, 1, 60]],
    [
      'a dropped one makes no room when it ends',
      [accept(100)],
      ['a 200 1 2', 'b 60 3', 'c 60 4'],
      [1, 2, 60],
    ],
    ['a refused first application leaves none', [REJECT], ['a 1 1'], [0, 1, 0]],
    ['a referral leaves none', [REFER], ['a 1 1'], [0, 1, 0]],
    [
      'a referral that a person granted leaves that limit, from then on',
      [{ ...REFER, byPerson: { limitMinor: 80, at: 50 } }],
      ['a 80 49', 'b 80 50'],
      [1, 1, 80],
    ],
    [
      'an acceptance counts, whatever a person did with the referral of the past',
      [accept(100, { byPerson: { limitMinor: 10, at: 50 } })],
      ['a 100 60'],
      [1, 0, 100],
    ],
    ['a renewal raises', [accept(100), accept(200)], ['a 150 101'], [1, 0, 150]],
    [
      'a renewal lowers, and takes nothing back',
      [accept(100), accept(50)],
      ['a 90 1', 'b 1 101'],
      [1, 1, 90],
    ],
    ['a refused renewal leaves the limit', [accept(100), REJECT], ['a 100 101'], [1, 0, 100]],
    ['a referred renewal leaves the limit', [accept(100), REFER], ['a 100 101'], [1, 0, 100]],
    [
      'a limit that nothing confirms ends, also after a refused renewal',
      [accept(100), REJECT],
      [`a 50 ${LIMIT_DAYS * 86_400 - 1}`, `b 50 ${LIMIT_DAYS * 86_400}`],
      [1, 1, 50],
    ],
    ['the order of the list does not matter', [accept(100)], ['b 60 5', 'a 60 1 5'], [2, 0, 60]],
  ];

  it.each(ROWS)('%s', (_what, said, orders, [kept, dropped, exposurePeak]) => {
    const replayed = replay(
      answers(...said),
      orders.map((text) => order(text)),
      LIMIT_DAYS,
    );
    expect(replayed.granted.flatMap((each) => each.kept)).toHaveLength(kept);
    expect(replayed).toMatchObject({ exposurePeak });
    expect(replayed.dropped).toHaveLength(dropped);
  });

  it('keeps buyers apart, and adds their exposure up', () => {
    const said = answers(
      accept(100),
      accept(50, { buyerExternalId: 'bar', subject: 'FACILITY_CREATION', decidedAt: 0 }),
    );
    const { granted, dropped, exposurePeak } = replay(
      said,
      [
        order('a 100 1'),
        order('b 51 1', { buyerExternalId: 'bar' }),
        order('c 50 1', { buyerExternalId: 'bar' }),
      ],
      LIMIT_DAYS,
    );
    expect(granted.map(({ kept }) => idsOf(kept))).toEqual([['a'], ['c']]);
    expect(idsOf(dropped)).toEqual(['b']);
    expect(exposurePeak).toBe(150);
  });
});

describe('a decision', () => {
  it('has the orders of its time, and the most that was used of it with what was left before', () => {
    const { granted } = replay(
      answers(accept(100), accept(120)),
      [order('a 90 1 150'), order('b 30 110'), order('c 80 160')],
      LIMIT_DAYS,
    );
    expect(
      granted.map(({ from, until, limitMinor, exposureMinor, kept }) => [
        from,
        until,
        limitMinor,
        exposureMinor,
        idsOf(kept),
      ]),
    ).toEqual([
      [0, 100, 100, 90, ['a']],
      [100, 100 + LIMIT_DAYS * 86_400, 120, 120, ['b', 'c']],
    ]);
  });
});
