import { describe, expect, it } from 'vitest';
import {
  type Answered,
  bandTransitions,
  differencesOf,
  figuresOf,
  type PastAuthorization,
  type PastCredit,
  type PastLoss,
} from './backtest.rules.ts';

type Said = Partial<Answered> & Pick<Answered, 'outcome'>;

/** Decisions about one buyer, a hundred seconds apart unless said otherwise. */
const answers = (...said: Said[]): Answered[] =>
  said.map((each, index) => ({
    decisionId: `d${index}`,
    buyerExternalId: 'cafe',
    subject: index === 0 ? 'FACILITY_CREATION' : 'FACILITY_RENEWAL',
    currency: 'EUR',
    decidedAt: index * 100,
    limitMinor: null,
    riskBand: each.outcome === 'ACCEPT' ? 'B1' : each.outcome === 'REJECT' ? 'REJECT' : null,
    ...each,
  }));
const accept = (limitMinor: number, more: Partial<Answered> = {}): Said => ({
  outcome: 'ACCEPT',
  limitMinor,
  ...more,
});
const REJECT: Said = { outcome: 'REJECT' };
const REFER: Said = { outcome: 'REFER' };

/** `order amount from until` */
const order = (text: string, more: Partial<PastAuthorization> = {}): PastAuthorization => {
  const [orderExternalId = '', amount, from, until] = text.split(' ');
  return {
    buyerExternalId: 'cafe',
    orderExternalId,
    amountMinor: Number(amount),
    currency: 'EUR',
    from: Number(from),
    until: until === undefined ? null : Number(until),
    ...more,
  };
};
const loss = (
  orderExternalId: string | null,
  amountMinor: number,
  more: Partial<PastLoss> = {},
): PastLoss => ({
  buyerExternalId: 'cafe',
  orderExternalId,
  amountMinor,
  currency: 'EUR',
  ...more,
});

const inEuros = (said: Answered[], past: Partial<PastCredit>) =>
  figuresOf(said, { authorizations: [], losses: [], ...past }).currencies.get('EUR');

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
    ['a renewal raises', [accept(100), accept(200)], ['a 150 101'], [1, 0, 150]],
    [
      'a renewal lowers, and takes nothing back',
      [accept(100), accept(50)],
      ['a 90 1', 'b 1 101'],
      [1, 1, 90],
    ],
    ['a refused renewal leaves the limit', [accept(100), REJECT], ['a 100 101'], [1, 0, 100]],
    ['a referred renewal leaves the limit', [accept(100), REFER], ['a 100 101'], [1, 0, 100]],
    ['the order of the list does not matter', [accept(100)], ['b 60 5', 'a 60 1 5'], [2, 0, 60]],
  ];

  it.each(ROWS)('%s', (_what, said, orders, [kept, dropped, exposurePeak]) => {
    const figures = inEuros(answers(...said), { authorizations: orders.map((text) => order(text)) });
    expect(figures).toMatchObject({ ordersKept: kept, ordersDropped: dropped, exposurePeak });
  });

  it('keeps buyers apart, and adds their exposure up', () => {
    const said = answers(
      accept(100),
      accept(50, { buyerExternalId: 'bar', subject: 'FACILITY_CREATION', decidedAt: 0 }),
    );
    const authorizations = [
      order('a 100 1'),
      order('b 51 1', { buyerExternalId: 'bar' }),
      order('c 50 1', { buyerExternalId: 'bar' }),
    ];
    expect(inEuros(said, { authorizations })).toMatchObject({
      ordersKept: 2,
      ordersDropped: 1,
      amountDropped: 51,
      exposurePeak: 150,
    });
  });

  it('keeps currencies apart', () => {
    const said = answers(accept(100));
    const { currencies } = figuresOf(said, {
      authorizations: [order('a 100 1'), order('b 1 1', { currency: 'PLN' })],
      losses: [loss('b', 1, { currency: 'PLN' })],
    });
    expect([...currencies.keys()]).toEqual(['EUR', 'PLN']);
    expect(currencies.get('EUR')).toMatchObject({ ordersKept: 1, losses: 0 });
    expect(currencies.get('PLN')).toMatchObject({
      ordersDropped: 1,
      limitSum: 0,
      losses: 1,
      lossesAvoided: 1,
    });
  });
});

describe('losses', () => {
  const ROWS: [what: string, PastLoss, avoided: number][] = [
    ['of an order that is kept stay', loss('kept', 30), 0],
    ['of an order that is dropped are avoided', loss('dropped', 30), 30],
    ['of an unknown order stay', loss('unknown', 30), 0],
    ['without an order stay where one of the buyer is kept', loss(null, 30), 0],
    ['without an order are avoided where none is', loss(null, 30, { buyerExternalId: 'bar' }), 30],
    ['of another buyer’s order of that name stay', loss('dropped', 30, { buyerExternalId: 'bar' }), 0],
  ];
  const authorizations = [order('kept 60 1'), order('dropped 60 2')];

  it.each(ROWS)('%s', (_what, each, avoided) => {
    expect(inEuros(answers(accept(100)), { authorizations, losses: [each] })).toMatchObject({
      losses: 30,
      lossesAvoided: avoided,
    });
  });
});

describe('the figures', () => {
  it('count outcomes and bands, and average what was granted', () => {
    const said = answers(accept(100), accept(101, { riskBand: 'A1' }), REJECT, REFER, {
      ...REFER,
      limitMinor: 900,
    });
    expect(figuresOf(said, { authorizations: [], losses: [] })).toMatchObject({
      applications: 5,
      approvals: 2,
      referrals: 2,
      rejections: 1,
      bands: new Map<string, number>([
        ['B1', 1],
        ['A1', 1],
        ['REJECT', 1],
        ['none', 2],
      ]),
    });
    expect(inEuros(said, {})).toMatchObject({ limitSum: 201, limitAverage: 101 });
  });

  it('of nothing are nothing', () => {
    const figures = figuresOf([], { authorizations: [], losses: [] });
    expect(figures).toEqual({
      applications: 0,
      approvals: 0,
      referrals: 0,
      rejections: 0,
      bands: new Map(),
      currencies: new Map(),
    });
  });
});

describe('two policies', () => {
  it('differ if outcome, limit or band do', () => {
    const old = answers(accept(1), accept(1), accept(1), accept(1), REFER);
    const renewed = answers(accept(1), accept(2), accept(1, { riskBand: 'A1' }), REJECT, REFER);
    expect(differencesOf(old, renewed).map((each) => each.old.decisionId)).toEqual(['d1', 'd2', 'd3']);
    expect(bandTransitions(old, renewed)).toEqual([
      { from: 'B1', to: 'A1', applications: 1 },
      { from: 'B1', to: 'B1', applications: 2 },
      { from: 'B1', to: 'REJECT', applications: 1 },
      { from: 'none', to: 'none', applications: 1 },
    ]);
  });
});
