import { describe, expect, it } from 'vitest';
import {
  type ContractRate,
  contractRateOf,
  type InterestTerms,
  interestOf,
  type LateClaim,
} from './late-interest.rules.ts';
import type { LatePaymentLaw } from './late-payment-law.schemas.ts';
import { latePaymentLawOf, shippedReferenceRates } from './late-payment-laws.ts';
import { MissingReferenceRate } from './reference-rate.rules.ts';

const BY_LAW: ContractRate = { basisPoints: null, agreedBasisPoints: null };

function termsOf(country: string, more: Partial<InterestTerms> = {}): InterestTerms {
  const law = latePaymentLawOf(country) as LatePaymentLaw;
  return { law, rates: shippedReferenceRates(), isPublicBody: false, contract: BY_LAW, ...more };
}

function claimOf(
  dueOn: string,
  amountMinor: number,
  more: Partial<LateClaim> & { paid?: [string, number][] },
) {
  const { paid = [], disputes = [], remindedOn = [] } = more;
  const changes = paid.map(([on, paidMinor]) => ({ on, amountMinor: -paidMinor }));
  return { parts: [{ number: 1, dueOn, amountMinor, changes }], disputes, remindedOn };
}

/** The data of each line that a statement shows. */
function shown(claim: LateClaim, terms: InterestTerms, from: string, until: string) {
  return interestOf(claim, terms, { from, until }).map((line) =>
    [line.from, line.to, line.days, line.amountMinor, line.rateBasisPoints, line.interestMinor].join(' '),
  );
}

describe('the interest of an invoice that is paid late, worked out by hand', () => {
  // EUR 10,000.00 due on 31 May 2024, paid on 15 August. 2024 has 366 days.
  // June: 30 days at 3.62 + 9 = 12.62 %: 1,000,000 × 0.1262 × 30 / 366 = 10,344.26
  // July and August: 31 + 15 = 46 days at 3.37 + 9 = 12.37 %: 1,000,000 × 0.1237 × 46 / 366 = 15,546.99
  // Together 9,476,200 / 366 = 25,891.26, so EUR 258.91.
  it('is EUR 258.91 in Germany', () => {
    const claim = claimOf('2024-05-31', 1_000_000, { paid: [['2024-08-15', 1_000_000]] });
    expect(shown(claim, termsOf('DE'), '2024-01-01', '2024-12-31')).toEqual([
      '2024-06-01 2024-06-30 30 1000000 1262 10344',
      '2024-07-01 2024-08-15 46 1000000 1237 15547',
    ]);
  });

  // EUR 2,500.00 due on 15 June 2023, paid on 20 July.
  // 15 days of June at 2.50 + 10 = 12.5 % (the rate of 1 January): 250,000 × 0.125 × 15 / 365 = 1,284.25
  // 20 days of July at 4.00 + 10 = 14 % (the rate of 1 July): 250,000 × 0.14 × 20 / 365 = 1,917.81
  // Together 1,168,750 / 365 = 3,202.05, so EUR 32.02.
  it('is EUR 32.02 in France', () => {
    const claim = claimOf('2023-06-15', 250_000, { paid: [['2023-07-20', 250_000]] });
    expect(shown(claim, termsOf('FR'), '2023-06-01', '2023-12-31')).toEqual([
      '2023-06-16 2023-06-30 15 250000 1250 1284',
      '2023-07-01 2023-07-20 20 250000 1400 1918',
    ]);
  });

  // A public body in France owes 8 points, not 10, on the rate of 1 January for the whole delay, although the rate of 1 July is 4.00:
  // 2.50 + 8 = 10.5 %. All 15 + 20 days of the example above: 250,000 × 0.105 × 35 / 365 = 2,517.12, so EUR 25.17.
  it('is EUR 25.17 in France if a public body owes it', () => {
    const claim = claimOf('2023-06-15', 250_000, { paid: [['2023-07-20', 250_000]] });
    const terms = termsOf('FR', { isPublicBody: true });
    expect(shown(claim, terms, '2023-06-01', '2023-12-31')).toEqual([
      '2023-06-16 2023-07-20 35 250000 1050 2517',
    ]);
  });

  // PLN 20,000.00 due on 15 December 2023, paid on 31 January 2024. The year has 365 days, also 2024.
  // 16 days of December at 6.75 + 10 = 16.75 %: 2,000,000 × 0.1675 × 16 / 365 = 14,684.93
  // 31 days of January at 5.75 + 10 = 15.75 %: 2,000,000 × 0.1575 × 31 / 365 = 26,753.42
  // Together 15,125,000 / 365 = 41,438.36, so PLN 414.38.
  it('is PLN 414.38 in Poland', () => {
    const claim = claimOf('2023-12-15', 2_000_000, { paid: [['2024-01-31', 2_000_000]] });
    expect(shown(claim, termsOf('PL'), '2023-12-01', '2024-06-30')).toEqual([
      '2023-12-16 2023-12-31 16 2000000 1675 14685',
      '2024-01-01 2024-01-31 31 2000000 1575 26753',
    ]);
  });

  // GBP 5,000.00 due on 20 June 2023, paid on 30 September. The rate of 31 December 2022 holds for the whole delay, although
  // Bank Rate had risen to 5 % by 30 June: 3.50 + 8 = 11.5 %. 10 + 31 + 31 + 30 = 102 days:
  // 500,000 × 0.115 × 102 / 365 = 16,068.49, so GBP 160.68.
  it('is GBP 160.68 in the United Kingdom', () => {
    const claim = claimOf('2023-06-20', 500_000, { paid: [['2023-09-30', 500_000]] });
    expect(shown(claim, termsOf('GB'), '2023-06-01', '2023-12-31')).toEqual([
      '2023-06-21 2023-09-30 102 500000 1150 16068',
    ]);
  });

  // CHF 8,000.00 due on 31 March 2024, reminded on 10 April, paid on 31 May. Interest runs from the day after the reminder:
  // 20 + 31 = 51 days at 5 %: 800,000 × 0.05 × 51 / 365 = 5,589.04, so CHF 55.89.
  it('is CHF 55.89 in Switzerland, and nothing before a reminder', () => {
    const paid: [string, number][] = [['2024-05-31', 800_000]];
    const claim = claimOf('2024-03-31', 800_000, { paid, remindedOn: ['2024-04-10'] });
    expect(shown(claim, termsOf('CH'), '2024-04-01', '2024-12-31')).toEqual([
      '2024-04-11 2024-05-31 51 800000 500 5589',
    ]);
    expect(
      shown(claimOf('2024-03-31', 800_000, { paid }), termsOf('CH'), '2024-04-01', '2024-12-31'),
    ).toEqual([]);
  });

  // SEK 50,000.00 due on 10 December 2024: SEK 20,000.00 paid on 15 January 2025, the rest on 28 February.
  // 21 days of December at 4 + 8 = 12 %: 5,000,000 × 0.12 × 21 / 365 = 34,520.55
  // 15 days of January at 3 + 8 = 11 %: 5,000,000 × 0.11 × 15 / 365 = 22,602.74
  // 16 + 28 = 44 days at 11 % of SEK 30,000.00: 3,000,000 × 0.11 × 44 / 365 = 39,780.82
  // Together 35,370,000 / 365 = 96,904.11, so SEK 969.04.
  it('is SEK 969.04 in Sweden', () => {
    const paid: [string, number][] = [
      ['2025-01-15', 2_000_000],
      ['2025-02-28', 3_000_000],
    ];
    const claim = claimOf('2024-12-10', 5_000_000, { paid });
    expect(shown(claim, termsOf('SE'), '2024-12-01', '2025-06-30')).toEqual([
      '2024-12-11 2024-12-31 21 5000000 1200 34521',
      '2025-01-01 2025-01-15 15 5000000 1100 22602',
      '2025-01-16 2025-02-28 44 3000000 1100 39781',
    ]);
  });

  // USD 1,000.00 due on 31 March 2024, paid on 30 April: no claim by law. With a contract of 18 % to which the buyer has
  // agreed: 30 days: 100,000 × 0.18 × 30 / 365 = 1,479.45, so USD 14.79.
  it('is nothing in the United States, and USD 14.79 by a contract of 18 %', () => {
    const claim = claimOf('2024-03-31', 100_000, { paid: [['2024-04-30', 100_000]] });
    expect(shown(claim, termsOf('US'), '2024-04-01', '2024-12-31')).toEqual([]);
    const agreed = { basisPoints: 1_800, agreedBasisPoints: 1_800 };
    expect(shown(claim, termsOf('US', { contract: agreed }), '2024-04-01', '2024-12-31')).toEqual([
      '2024-04-01 2024-04-30 30 100000 1800 1479',
    ]);
  });
});

describe('the interest of what is due on a holiday or at a weekend', () => {
  // EUR 10,000.00 due on Good Friday, 29 March 2024. After Easter Monday, Tuesday 2 April is in time. 3 to 30 April are 28 days at
  // 3.62 + 9 = 12.62 %: 1,000,000 × 0.1262 × 28 / 366 = 9,654.64, so EUR 96.55.
  it('begins on the second working day in Germany, and is none where the first one has the payment', () => {
    const late = claimOf('2024-03-29', 1_000_000, { paid: [['2024-04-30', 1_000_000]] });
    expect(shown(late, termsOf('DE'), '2024-03-30', '2024-06-30')).toEqual([
      '2024-04-03 2024-04-30 28 1000000 1262 9655',
    ]);
    const inTime = claimOf('2024-03-29', 1_000_000, { paid: [['2024-04-02', 1_000_000]] });
    expect(shown(inTime, termsOf('DE'), '2024-03-30', '2024-06-30')).toEqual([]);
  });

  // PLN 20,000.00 due on Saturday 15 June 2024. Monday is in time. 18 to 30 June are 13 days at 5.75 + 10 = 15.75 %:
  // 2,000,000 × 0.1575 × 13 / 365 = 11,219.18, so PLN 112.19.
  it('begins on Tuesday in Poland for a Saturday', () => {
    expect(shown(claimOf('2024-06-15', 2_000_000, {}), termsOf('PL'), '2024-06-16', '2024-06-30')).toEqual([
      '2024-06-18 2024-06-30 13 2000000 1575 11219',
    ]);
  });

  // GBP 5,000.00 due on Sunday 16 June 2024. 17 to 30 June are 14 days at 5.25 + 8 = 13.25 %:
  // 500,000 × 0.1325 × 14 / 365 = 2,541.10, so GBP 25.41.
  it('begins on Monday in the United Kingdom for a Sunday', () => {
    expect(shown(claimOf('2024-06-16', 500_000, {}), termsOf('GB'), '2024-06-17', '2024-06-30')).toEqual([
      '2024-06-17 2024-06-30 14 500000 1325 2541',
    ]);
  });

  // CZK 100,000.00 due on Saturday 29 June 2024. Monday 1 July is in time, so that the delay begins in the next half-year, whose rate
  // holds for all of it: 4.75 + 8 = 12.75 %, not 6.75 + 8. 2 to 31 July are 30 days: 10,000,000 × 0.1275 × 30 / 365 = 104,794.52.
  it('has in Czechia the rate of the half-year in which the delay begins', () => {
    expect(shown(claimOf('2024-06-29', 10_000_000, {}), termsOf('CZ'), '2024-06-30', '2024-07-31')).toEqual([
      '2024-07-02 2024-07-31 30 10000000 1275 104795',
    ]);
  });
});

describe('the first day of interest where the law wants a reminder first', () => {
  const part = (number: number, dueOn: string) => ({ number, dueOn, amountMinor: 36_500, changes: [] });
  const firstDays = (claim: LateClaim) =>
    interestOf(claim, termsOf('CH'), { from: '2024-04-01', until: '2024-07-31' }).map((line) => [
      line.installment,
      line.from,
    ]);

  // No reminder covers the second instalment before it was due, and none covers the third at all.
  it('is that after the first reminder from the due day of each instalment on', () => {
    const parts = [part(1, '2024-04-10'), part(2, '2024-05-10'), part(3, '2024-06-10')];
    const claim = {
      parts,
      disputes: [],
      remindedOn: ['2024-04-09', '2024-04-20', '2024-05-02', '2024-05-10'],
    };
    expect(firstDays(claim)).toEqual([
      [1, '2024-04-21'],
      [2, '2024-05-11'],
    ]);
  });

  it('is that after a reminder that asks for what is not disputed any more', () => {
    const disputes = [{ from: '2024-04-15', until: '2024-05-01', amountMinor: 36_500 }];
    const remindedOn = ['2024-04-20', '2024-05-02'];
    expect(firstDays({ parts: [part(1, '2024-04-10')], disputes, remindedOn })).toEqual([[1, '2024-05-03']]);
    expect(
      firstDays({ parts: [part(1, '2024-04-10'), part(2, '2024-04-12')], disputes, remindedOn }),
    ).toEqual([
      [1, '2024-04-21'],
      [2, '2024-05-03'],
    ]);
  });
});

describe('the days of interest', () => {
  // EUR 100.00 of EUR 300.00 are disputed from 10 to 19 June: 9 days at 12.62 % of 300.00, 10 of 200.00, 11 of 300.00.
  it('leave out what is disputed, up to the day of the decision', () => {
    const claim = claimOf('2024-05-31', 30_000, {
      disputes: [{ from: '2024-06-10', until: '2024-06-20', amountMinor: 10_000 }],
    });
    expect(shown(claim, termsOf('DE'), '2024-06-01', '2024-06-30')).toEqual([
      '2024-06-01 2024-06-09 9 30000 1262 93',
      '2024-06-10 2024-06-19 10 20000 1262 69',
      '2024-06-20 2024-06-30 11 30000 1262 114',
    ]);
  });

  it('begin on 1 March for what was due on 29 February', () => {
    const lines = shown(claimOf('2024-02-29', 100_000, {}), termsOf('DE'), '2024-01-01', '2024-03-01');
    expect(lines).toEqual(['2024-03-01 2024-03-01 1 100000 1262 34']);
  });

  it('end before the day of a payment where the law does not count it', () => {
    const terms = termsOf('DE');
    const law: LatePaymentLaw = {
      ...terms.law,
      last_day: [{ valid_from: '2014-07-29', source: 'a contract', value: 'DAY_BEFORE_PAYMENT' }],
    };
    const claim = claimOf('2024-05-31', 100_000, { paid: [['2024-06-03', 100_000]] });
    expect(shown(claim, { ...terms, law }, '2024-06-01', '2024-06-30')).toEqual([
      '2024-06-01 2024-06-02 2 100000 1262 69',
    ]);
  });

  it('stop where a reference rate is not known, and name it', () => {
    const claim = claimOf('2026-06-01', 100_000, {});
    const untilKnown = () => shown(claim, termsOf('DE'), '2026-06-02', '2026-06-30');
    const beyond = () => shown(claim, termsOf('DE'), '2026-06-02', '2026-07-01');
    expect(untilKnown()).toHaveLength(1);
    expect(beyond).toThrow(new MissingReferenceRate('DE_BASE', '2026-07-01'));
  });
});

describe('the rate of a contract', () => {
  it.each<[string, number, ContractRate, number]>([
    ["is the law's without one", 1_200, BY_LAW, 1_200],
    ['can be lower', 1_200, { basisPoints: 500, agreedBasisPoints: null }, 500],
    ['can be nothing', 1_200, { basisPoints: 0, agreedBasisPoints: null }, 0],
    [
      "is at most the law's without an agreement",
      1_200,
      { basisPoints: 1_500, agreedBasisPoints: null },
      1_200,
    ],
    ['can be higher with an agreement', 1_200, { basisPoints: 1_500, agreedBasisPoints: 1_500 }, 1_500],
    ['is at most what the agreement names', 1_200, { basisPoints: 1_500, agreedBasisPoints: 1_300 }, 1_300],
  ])('%s', (_, lawful, contract, rate) => {
    expect(contractRateOf(lawful, contract)).toBe(rate);
  });
});
