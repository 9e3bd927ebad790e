/** Compares two policies on the same past: what each would have decided, and with which outcome. Pure arithmetic. */
import type { Currency } from '#kernel/currency';
import {
  type Answered,
  amountLost,
  type LossFigures,
  lossesAt,
  type PastAuthorization,
  type PastCredit,
  sum,
} from './past-credit.rules.ts';
import type { CreditOutcome, RiskBand } from './policy.schemas.ts';
import { replay } from './replay.rules.ts';
import { keyOf, type Vintage, vintagesOf } from './vintage.rules.ts';

/** The figures of a policy in one currency. Amounts are in minor units. */
export interface CurrencyFigures extends LossFigures {
  limitSum: number;
  limitAverage: number;
  ordersKept: number;
  ordersDropped: number;
  amountDropped: number;
  /** The part of the dropped amount that was paid without a default. */
  goodBusinessDropped: number;
  /** The part of the dropped amount that was lost or is in default. */
  lossesAvoided: number;
  exposurePeak: number;
  expectedLoss: number;
  vintages: Vintage[];
}

export interface PolicyFigures {
  applications: number;
  approvals: number;
  referrals: number;
  rejections: number;
  /** Approvals of applications that got no limit in the past, so that their outcome is unknown. */
  untested: number;
  bands: Map<RiskBand | 'none', number>;
  currencies: Map<Currency, CurrencyFigures>;
}

/**
 * The figures of one policy. `answers` are in chronological order; `now` is in unix seconds. Losses are those of the orders
 * that the policy would have carried, as `replay` finds them. A referral counts with what a person granted in the past.
 */
export function figuresOf(answers: readonly Answered[], past: PastCredit, now: number): PolicyFigures {
  const count = (outcome: CreditOutcome) => answers.filter((answer) => answer.outcome === outcome).length;
  const currencies = new Set([
    ...answers.map(({ currency }) => currency),
    ...past.authorizations.map(({ currency }) => currency),
    ...past.defaults.map(({ currency }) => currency),
  ]);
  return {
    applications: answers.length,
    approvals: count('ACCEPT'),
    referrals: count('REFER'),
    rejections: count('REJECT'),
    untested: answers.filter(({ outcome, wasGranted }) => outcome === 'ACCEPT' && !wasGranted).length,
    bands: bandsOf(answers),
    currencies: new Map(
      [...currencies].sort().map((currency) => [currency, currencyFigures(answers, past, currency, now)]),
    ),
  };
}

function bandsOf(answers: readonly Answered[]): PolicyFigures['bands'] {
  const bands: PolicyFigures['bands'] = new Map();
  for (const { riskBand } of answers) bands.set(riskBand ?? 'none', (bands.get(riskBand ?? 'none') ?? 0) + 1);
  return bands;
}

function currencyFigures(
  all: readonly Answered[],
  past: PastCredit,
  currency: Currency,
  now: number,
): CurrencyFigures {
  const of = <T extends { currency: Currency }>(items: readonly T[]) =>
    items.filter((item) => item.currency === currency);
  const [answers, defaults] = [of(all), of(past.defaults)];
  const limits = answers
    .filter(({ outcome }) => outcome === 'ACCEPT')
    .map(({ limitMinor }) => limitMinor ?? 0);
  const { granted, dropped, exposurePeak } = replay(answers, of(past.authorizations), past.limitDays);
  const kept = granted.flatMap((each) => each.kept);
  const vintages = vintagesOf(answers, granted, defaults, now);
  const defaultsOf = (orders: readonly PastAuthorization[]) => {
    const keys = new Set(orders.map(keyOf));
    return defaults.filter((each) => keys.has(keyOf(each)));
  };
  const defaultsDropped = defaultsOf(dropped);
  const bad = new Set(defaultsDropped.map(keyOf));
  const limitSum = sum(limits);
  return {
    limitSum,
    limitAverage: limits.length === 0 ? 0 : Math.round(limitSum / limits.length),
    ordersKept: kept.length,
    ordersDropped: dropped.length,
    amountDropped: sum(dropped.map(({ amountMinor }) => amountMinor)),
    goodBusinessDropped: sum(
      dropped
        .filter((order) => order.until !== null && !bad.has(keyOf(order)))
        .map(({ amountMinor }) => amountMinor),
    ),
    lossesAvoided: amountLost(lossesAt(defaultsDropped, now)),
    exposurePeak,
    expectedLoss: sum(vintages.map(({ expectedLoss }) => expectedLoss)),
    vintages,
    ...lossesAt(defaultsOf(kept), now),
  };
}

/** An application on which the two policies disagree. */
export interface Difference {
  old: Answered;
  new: Answered;
}

export function differencesOf(old: readonly Answered[], renewed: readonly Answered[]): Difference[] {
  return old.flatMap((answer, index) => {
    const other = renewed[index];
    const isSame =
      other === undefined ||
      (other.outcome === answer.outcome &&
        other.limitMinor === answer.limitMinor &&
        other.riskBand === answer.riskBand);
    return isSame ? [] : [{ old: answer, new: other }];
  });
}

/** Counts the applications per pair of old and new band, unchanged ones included. */
export function bandTransitions(
  old: readonly Answered[],
  renewed: readonly Answered[],
): { from: RiskBand | 'none'; to: RiskBand | 'none'; applications: number }[] {
  const counts = new Map<string, number>();
  old.forEach(({ riskBand }, index) => {
    const key = `${riskBand ?? 'none'} ${renewed[index]?.riskBand ?? 'none'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, applications]) => {
      const [from, to] = key.split(' ') as [RiskBand | 'none', RiskBand | 'none'];
      return { from, to, applications };
    });
}
