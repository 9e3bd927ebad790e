import { describe, expect, it } from 'vitest';
import { accept, answers, defaulted, order, REFER, REJECT } from '#test/backtest-past';
import { bandTransitions, differencesOf, figuresOf } from './backtest.rules.ts';
import type { Answered, PastCredit, PastDefault } from './past-credit.rules.ts';

const NOW = 1_000;
const NO_PAST: PastCredit = { limitDays: 1, authorizations: [], defaults: [] };

const inEuros = (said: Answered[], past: Partial<PastCredit>) =>
  figuresOf(said, { ...NO_PAST, ...past }, NOW).currencies.get('EUR');

describe('losses', () => {
  const ROWS: [what: string, PastDefault, kept: number, avoided: number][] = [
    ['of an order that is kept stay', defaulted('kept 30 500'), 30, 0],
    ['of an order that is dropped are avoided', defaulted('dropped 30 500'), 0, 30],
    [
      'that were recovered are none',
      defaulted('dropped 30 500', ['WRITTEN_OFF 30 600', 'RECOVERED 20 700']),
      0,
      10,
    ],
    [
      'of another buyer’s order of that name are neither',
      defaulted('kept 30 500', [], { buyerExternalId: 'bar' }),
      0,
      0,
    ],
    ['after the end of the back-test are not known', defaulted('kept 30 1001'), 0, 0],
  ];
  const authorizations = [
    order('kept 60 1'),
    order('dropped 60 2'),
    order('good 70 3 50'),
    order('open 90 4'),
  ];

  it.each(ROWS)('%s', (_what, each, stillOpen, lossesAvoided) => {
    expect(inEuros(answers(accept(100)), { authorizations, defaults: [each] })).toMatchObject({
      stillOpen,
      lossesAvoided,
      amountDropped: 220,
      // Only orders that were paid without a default: one that is still open may yet be lost.
      goodBusinessDropped: 70,
    });
  });

  it('keep currencies apart', () => {
    const { currencies } = figuresOf(
      answers(accept(100)),
      {
        limitDays: 1,
        authorizations: [order('a 100 1'), order('b 1 1', { currency: 'PLN' })],
        defaults: [defaulted('b 1 2', [], { currency: 'PLN' })],
      },
      NOW,
    );
    expect([...currencies.keys()]).toEqual(['EUR', 'PLN']);
    expect(currencies.get('EUR')).toMatchObject({ ordersKept: 1, defaulted: 0 });
    expect(currencies.get('PLN')).toMatchObject({ ordersDropped: 1, limitSum: 0, lossesAvoided: 1 });
  });
});

describe('the figures', () => {
  it('count outcomes and bands, and average what was granted', () => {
    const said = answers(accept(100), accept(101, { riskBand: 'A1', wasGranted: false }), REJECT, REFER, {
      ...REFER,
      limitMinor: 900,
    });
    expect(figuresOf(said, NO_PAST, NOW)).toMatchObject({
      applications: 5,
      approvals: 2,
      referrals: 2,
      rejections: 1,
      untested: 1,
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
    expect(figuresOf([], NO_PAST, NOW)).toEqual({
      applications: 0,
      approvals: 0,
      referrals: 0,
      rejections: 0,
      untested: 0,
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
