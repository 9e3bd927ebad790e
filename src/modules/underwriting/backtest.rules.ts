/** Compares two policies on the same past: what each would have decided, and with which outcome. Pure arithmetic. */
import type { Currency } from '#kernel/currency';
import type { CreditOutcome, FacilitySubject, RiskBand } from './policy.schemas.ts';

/** A past application with the answer of a policy; the limit in minor units. */
export interface Answered {
  decisionId: string;
  buyerExternalId: string;
  subject: FacilitySubject;
  currency: Currency;
  /** Unix seconds. */
  decidedAt: number;
  outcome: CreditOutcome;
  limitMinor: number | null;
  riskBand: RiskBand | null;
}

/** An order, or an invoice without one, that used a part of the limit for a time. */
export interface PastAuthorization {
  buyerExternalId: string;
  orderExternalId: string;
  amountMinor: number;
  currency: Currency;
  from: number;
  /** Null while it still uses it. */
  until: number | null;
}

export interface PastLoss {
  buyerExternalId: string;
  /** The order of the loss; null if unknown. */
  orderExternalId: string | null;
  amountMinor: number;
  currency: Currency;
}

export interface PastCredit {
  authorizations: readonly PastAuthorization[];
  losses: readonly PastLoss[];
}

/** In minor units of one currency. */
export interface CurrencyFigures {
  limitSum: number;
  limitAverage: number;
  ordersKept: number;
  ordersDropped: number;
  amountDropped: number;
  exposurePeak: number;
  losses: number;
  lossesAvoided: number;
}

export interface PolicyFigures {
  applications: number;
  approvals: number;
  referrals: number;
  rejections: number;
  bands: Map<RiskBand | 'none', number>;
  currencies: Map<Currency, CurrencyFigures>;
}

/**
 * `answers` in the order of time. An acceptance sets the buyer's limit; a refused first application leaves none, and a
 * refused or referred later one the limit as it was. An authorization is kept where it fits beneath the limit of its
 * moment together with those still open, and dropped otherwise. A loss is avoided where its order was dropped, or where
 * none of the buyer's orders was kept and the order of the loss is unknown.
 */
export function figuresOf(answers: readonly Answered[], past: PastCredit): PolicyFigures {
  const count = (outcome: CreditOutcome) => answers.filter((answer) => answer.outcome === outcome).length;
  const currencies = new Set([
    ...answers.map(({ currency }) => currency),
    ...past.authorizations.map(({ currency }) => currency),
    ...past.losses.map(({ currency }) => currency),
  ]);
  return {
    applications: answers.length,
    approvals: count('ACCEPT'),
    referrals: count('REFER'),
    rejections: count('REJECT'),
    bands: bandsOf(answers),
    currencies: new Map(
      [...currencies].sort().map((currency) => [currency, currencyFigures(answers, past, currency)]),
    ),
  };
}

function bandsOf(answers: readonly Answered[]): PolicyFigures['bands'] {
  const bands: PolicyFigures['bands'] = new Map();
  for (const { riskBand } of answers) bands.set(riskBand ?? 'none', (bands.get(riskBand ?? 'none') ?? 0) + 1);
  return bands;
}

function currencyFigures(all: readonly Answered[], past: PastCredit, currency: Currency): CurrencyFigures {
  const of = <T extends { currency: Currency }>(items: readonly T[]) =>
    items.filter((item) => item.currency === currency);
  const answers = of(all);
  const limits = answers
    .filter(({ outcome }) => outcome === 'ACCEPT')
    .map(({ limitMinor }) => limitMinor ?? 0);
  const { kept, dropped, exposurePeak } = replay(answers, of(past.authorizations));
  const losses = of(past.losses);
  const avoided = losses.filter((loss) => isAvoided(loss, kept, dropped));
  const limitSum = sum(limits);
  return {
    limitSum,
    limitAverage: limits.length === 0 ? 0 : Math.round(limitSum / limits.length),
    ordersKept: kept.length,
    ordersDropped: dropped.length,
    amountDropped: sum(dropped.map(({ amountMinor }) => amountMinor)),
    exposurePeak,
    losses: sum(losses.map(({ amountMinor }) => amountMinor)),
    lossesAvoided: sum(avoided.map(({ amountMinor }) => amountMinor)),
  };
}

function isAvoided(
  { buyerExternalId, orderExternalId }: PastLoss,
  kept: PastAuthorization[],
  dropped: PastAuthorization[],
): boolean {
  const isOf = (each: PastAuthorization) => each.buyerExternalId === buyerExternalId;
  if (orderExternalId === null) return !kept.some(isOf);
  return dropped.some((each) => isOf(each) && each.orderExternalId === orderExternalId);
}

type Happening =
  | { at: number; rank: 0; ended: PastAuthorization }
  | { at: number; rank: 1; answer: Answered }
  | { at: number; rank: 2; begun: PastAuthorization };

/** Replays the past in order; at one instant ends come first, then decisions, then beginnings. */
function replay(answers: readonly Answered[], authorizations: readonly PastAuthorization[]) {
  const happenings: Happening[] = [
    ...authorizations.flatMap((ended) =>
      ended.until === null ? [] : [{ at: ended.until, rank: 0 as const, ended }],
    ),
    ...answers.map((answer) => ({ at: answer.decidedAt, rank: 1 as const, answer })),
    ...authorizations.map((begun) => ({ at: begun.from, rank: 2 as const, begun })),
  ].sort((a, b) => a.at - b.at || a.rank - b.rank);
  const limits = new Map<string, number>();
  const used = new Map<string, number>();
  const open = new Set<PastAuthorization>();
  const kept: PastAuthorization[] = [];
  const dropped: PastAuthorization[] = [];
  let exposure = 0;
  let exposurePeak = 0;
  const use = (authorization: PastAuthorization, amountMinor: number) => {
    const { buyerExternalId: buyer } = authorization;
    used.set(buyer, (used.get(buyer) ?? 0) + amountMinor);
    exposure += amountMinor;
    exposurePeak = Math.max(exposurePeak, exposure);
  };
  for (const happening of happenings) {
    if ('answer' in happening) setLimit(limits, happening.answer);
    else if ('ended' in happening) {
      if (open.delete(happening.ended)) use(happening.ended, -happening.ended.amountMinor);
    } else {
      const { begun } = happening;
      const isFitting =
        (used.get(begun.buyerExternalId) ?? 0) + begun.amountMinor <=
        (limits.get(begun.buyerExternalId) ?? 0);
      (isFitting ? kept : dropped).push(begun);
      if (!isFitting) continue;
      open.add(begun);
      use(begun, begun.amountMinor);
    }
  }
  return { kept, dropped, exposurePeak };
}

function setLimit(
  limits: Map<string, number>,
  { buyerExternalId, subject, outcome, limitMinor }: Answered,
): void {
  if (outcome === 'ACCEPT') limits.set(buyerExternalId, limitMinor ?? 0);
  // A referral changes nothing until a person decides.
  else if (outcome === 'REJECT' && subject === 'FACILITY_CREATION') limits.set(buyerExternalId, 0);
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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
