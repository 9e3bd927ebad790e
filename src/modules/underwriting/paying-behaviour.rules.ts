/** How a buyer has paid, as inputs of a policy: from sums over its paid invoices and defaults. Exact integers throughout. */
import { halfEven } from '#kernel/half-even';
import type { PolicyInputs } from './policy.schemas.ts';

/** The last six months, the six before them, the year before those, and everything older. */
export const PAYING_PERIODS = ['HALF_YEAR', 'HALF_YEAR_BEFORE', 'YEAR_BEFORE', 'OLDER'] as const;
export type PayingPeriod = (typeof PAYING_PERIODS)[number];

/** The invoices of a buyer that were paid in one period. */
export interface PaidPeriod {
  period: PayingPeriod;
  /** Number of paid invoices, in all currencies. */
  invoices: number;
  /** Number of invoices paid after the due day, in all currencies. */
  invoicesLate: number;
  /** The most days beyond terms of any of them, in all currencies. */
  daysLateMax: number;
  /** In the facility's currency: invoices, and sums in minor units. */
  weighed: {
    invoices: number;
    amountMinor: bigint;
    /** Amount times days beyond terms, summed. */
    amountDays: bigint;
    /** The sum of the invoices that were paid later than the grace. */
    lateMinor: bigint;
  };
}

/** The defaults of a buyer in one period, above the materiality. */
export interface DefaultPeriod {
  period: PayingPeriod;
  /** Number of defaults, in all currencies. */
  defaults: number;
  /** Their sum in minor units, in the facility's currency only. */
  amountMinor: bigint;
}

export interface PayingBehaviour {
  ordersClosed: number;
  paid: readonly PaidPeriod[];
  defaults: readonly DefaultPeriod[];
}

export const NO_BEHAVIOUR: PayingBehaviour = { ordersClosed: 0, paid: [], defaults: [] };

const YEAR: readonly PayingPeriod[] = ['HALF_YEAR', 'HALF_YEAR_BEFORE'];
const TWO_YEARS: readonly PayingPeriod[] = [...YEAR, 'YEAR_BEFORE'];

export type BehaviourInputs = Pick<
  PolicyInputs,
  | 'orders_closed'
  | 'invoices_paid'
  | 'invoices_paid_late'
  | `invoices_paid_${'12m' | '24m'}`
  | `days_beyond_terms_${'12m' | '24m'}`
  | `worst_days_late_${'12m' | '24m'}`
  | `paid_late_percent_${'12m' | '24m'}`
  | `defaults_${'12m' | '24m'}`
  | `default_amount_${'12m' | '24m'}`
  | 'payment_trend'
>;

/** The inputs about paying behaviour. `unitsOf` turns minor units of the facility's currency into whole units. */
export function behaviourInputs(
  behaviour: PayingBehaviour,
  unitsOf: (minor: bigint) => number,
): BehaviourInputs {
  const ever = sumOf(behaviour, PAYING_PERIODS);
  const year = sumOf(behaviour, YEAR);
  const twoYears = sumOf(behaviour, TWO_YEARS);
  return {
    orders_closed: behaviour.ordersClosed,
    invoices_paid: ever.invoices,
    invoices_paid_late: ever.invoicesLate,
    invoices_paid_12m: year.weighed,
    invoices_paid_24m: twoYears.weighed,
    days_beyond_terms_12m: year.daysBeyondTerms,
    days_beyond_terms_24m: twoYears.daysBeyondTerms,
    worst_days_late_12m: year.daysLateMax,
    worst_days_late_24m: twoYears.daysLateMax,
    paid_late_percent_12m: year.latePercent,
    paid_late_percent_24m: twoYears.latePercent,
    payment_trend: trendOf(behaviour.paid),
    defaults_12m: year.defaults,
    defaults_24m: twoYears.defaults,
    default_amount_12m: unitsOf(year.defaultedMinor),
    default_amount_24m: unitsOf(twoYears.defaultedMinor),
  };
}

function sumOf({ paid, defaults }: PayingBehaviour, periods: readonly PayingPeriod[]) {
  const payments = paid.filter(({ period }) => periods.includes(period));
  const defaulted = defaults.filter(({ period }) => periods.includes(period));
  const amountMinor = total(payments, ({ weighed }) => weighed.amountMinor);
  // Null means that nothing was paid: 0 days late would look like the best payer.
  const perAmount = (dividend: bigint) =>
    amountMinor === 0n ? null : Number(halfEven(dividend, amountMinor));
  return {
    invoices: count(payments, ({ invoices }) => invoices),
    invoicesLate: count(payments, ({ invoicesLate }) => invoicesLate),
    weighed: count(payments, ({ weighed }) => weighed.invoices),
    daysBeyondTerms: perAmount(total(payments, ({ weighed }) => weighed.amountDays)),
    daysLateMax: Math.max(0, ...payments.map(({ daysLateMax }) => daysLateMax)),
    latePercent: perAmount(total(payments, ({ weighed }) => weighed.lateMinor) * 100n),
    defaults: count(defaulted, (each) => each.defaults),
    defaultedMinor: total(defaulted, (each) => each.amountMinor),
  };
}

/** Fewer paid invoices than this in a half-year show no trend. */
const TREND_INVOICES_MIN = 3;
/** A smaller change of the days beyond terms is no trend: weekends alone move a due day by two. */
const TREND_DAYS_MIN = 5n;

/** Compares the days beyond terms of the last six months with those of the six before, without rounding them. */
function trendOf(paid: readonly PaidPeriod[]): PolicyInputs['payment_trend'] {
  const [recent, before] = YEAR.map((period) => paid.find((each) => each.period === period)?.weighed);
  if (!recent || !before) return 'UNKNOWN';
  if (Math.min(recent.invoices, before.invoices) < TREND_INVOICES_MIN) return 'UNKNOWN';
  const change = recent.amountDays * before.amountMinor - before.amountDays * recent.amountMinor;
  const least = TREND_DAYS_MIN * recent.amountMinor * before.amountMinor;
  if (change >= least) return 'WORSENING';
  return change <= -least ? 'IMPROVING' : 'STABLE';
}

const count = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((sum, item) => sum + of(item), 0);
const total = <T>(items: readonly T[], of: (item: T) => bigint) =>
  items.reduce((sum, item) => sum + of(item), 0n);
