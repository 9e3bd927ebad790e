/** Judges decisions by what happened after them, by vintage: the month in which they were made. Pure arithmetic. */
import { DAY_SECONDS, dayOf, monthsLater } from '#kernel/day';
import { halfEven } from '#kernel/half-even';
import {
  type Answered,
  amountLost,
  type LossFigures,
  lossesAt,
  type PastDefault,
  sum,
} from './past-credit.rules.ts';
import type { RiskBand } from './policy.schemas.ts';
import type { Granted } from './replay.rules.ts';

/**
 * Expected defaults in a year, in basis points: the share of what companies of a band owe. They double from band to band
 * and span the range that rating agencies report for small and medium companies. A back-test compares them with the past.
 */
export const BAND_DEFAULT_BASIS_POINTS: Record<Exclude<RiskBand, 'REJECT'>, number> = {
  A1: 10,
  A2: 20,
  B1: 50,
  B2: 100,
  C1: 200,
  C2: 400,
  D1: 800,
  D2: 1_600,
};

/** Months after a decision at which it is judged. */
export const HORIZONS_MONTHS = [3, 6, 12] as const;
export type HorizonMonths = (typeof HORIZONS_MONTHS)[number];

/** The decisions of one month and their outcomes. Minor units of one currency. */
export interface Vintage extends LossFigures {
  /** 2025-11, in UTC. */
  month: string;
  applications: number;
  approvals: number;
  granted: number;
  /** Orders that the limits carried. */
  used: number;
  expectedLoss: number;
  /** Used and lost by 3, 6 and 12 months after each decision; null until every decision of the month is that old. */
  after: Record<HorizonMonths, { used: number; lost: number } | null>;
}

/** The vintages, the oldest first. Events after `now` (unix seconds) are not known yet. */
export function vintagesOf(
  answers: readonly Answered[],
  granted: readonly Granted[],
  defaults: readonly PastDefault[],
  now: number,
): Vintage[] {
  const judged = Map.groupBy(granted, ({ answer }) => monthOf(answer));
  const defaultsOf = Map.groupBy(defaults, keyOf);
  return [...Map.groupBy(answers, monthOf)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([month, made]) => vintageOf(month, made, judged.get(month) ?? [], defaultsOf, now));
}

function vintageOf(
  month: string,
  made: readonly Answered[],
  granted: readonly Granted[],
  defaultsOf: ReadonlyMap<string, readonly PastDefault[]>,
  now: number,
): Vintage {
  const lostOf = ({ kept }: Granted) => kept.flatMap((order) => defaultsOf.get(keyOf(order)) ?? []);
  const after = (months: HorizonMonths) => {
    if (monthsLater(Date.parse(`${month}-01`) / 1_000, 1 + months) > now) return null;
    return granted.reduce(
      (total, each) => {
        const until = monthsLater(each.from, months);
        const kept = each.kept.filter(({ from }) => from <= until);
        return {
          used: total.used + sum(kept.map(({ amountMinor }) => amountMinor)),
          lost: total.lost + amountLost(lossesAt(lostOf(each), until)),
        };
      },
      { used: 0, lost: 0 },
    );
  };
  return {
    month,
    applications: made.length,
    approvals: made.filter(({ outcome }) => outcome === 'ACCEPT').length,
    granted: sum(granted.map(({ limitMinor }) => limitMinor)),
    used: sum(granted.flatMap(({ kept }) => kept.map(({ amountMinor }) => amountMinor))),
    expectedLoss: expectedLossOf(granted, now),
    after: { 3: after(3), 6: after(6), 12: after(12) },
    ...lossesAt(granted.flatMap(lostOf), now),
  };
}

const YEAR_DAYS = 365;
const BASIS_POINTS = 10_000n;

/**
 * The expected loss in minor units: the peak use of each limit, times the yearly default rate of its band, for the days that
 * it was in force. Assumes no recovery. A decision by persons without a band counts in the weakest band.
 */
export function expectedLossOf(granted: readonly Granted[], now: number): number {
  const exact = granted.reduce((total, { answer, from, until, exposureMinor }) => {
    const days = Math.min(YEAR_DAYS, Math.ceil((Math.min(until, now) - from) / DAY_SECONDS));
    const { riskBand } = answer;
    const rate = BAND_DEFAULT_BASIS_POINTS[riskBand === null || riskBand === 'REJECT' ? 'D2' : riskBand];
    return total + BigInt(exposureMinor) * BigInt(rate) * BigInt(Math.max(0, days));
  }, 0n);
  return Number(halfEven(exact, BASIS_POINTS * BigInt(YEAR_DAYS)));
}

const monthOf = ({ decidedAt }: Answered): string => dayOf(decidedAt).slice(0, 7);

/** A key for the order of an authorization or a default. */
export const keyOf = (each: { buyerExternalId: string; orderExternalId: string }): string =>
  `${each.buyerExternalId}/${each.orderExternalId}`;
