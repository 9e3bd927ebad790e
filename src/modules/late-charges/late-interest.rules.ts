/**
 * Interest on amounts that are paid late: simple, by day, on what was undisputed and outstanding on that day. Sums are exact and
 * rounded once, when they are claimed.
 */
import { dayLater, dayMonthsLater } from '#kernel/day';
import { calendarDaysBetween } from '#kernel/local-day';
import type { DisputeDays } from '#modules/disputes';
import { type AmountChange, type OwedPart, withoutDisputed } from '#modules/invoices';
import { lastDayInTime } from './due-day.rules.ts';
import type { LatePaymentLaw, ReferenceRates } from './late-payment-law.schemas.ts';
import { rateOn, valueOn } from './reference-rate.rules.ts';

/** An amount that was disputed from a day until its decision. The day of the decision is not included. */
export interface DisputedAmount {
  from: string;
  until: string | null;
  amountMinor: number;
}

/** The claim of an invoice, day by day. */
export interface LateClaim {
  parts: readonly OwedPart[];
  disputes: readonly DisputedAmount[];
  /** The days on which reminders reached the buyer, earliest first. Each reminder covers what is due and undisputed on its day. */
  remindedOn: readonly string[];
}

/** The rate that the platform charges instead of the rate of the law, and the highest rate to which the buyer has agreed. */
export interface ContractRate {
  basisPoints: number | null;
  agreedBasisPoints: number | null;
}

export interface InterestTerms {
  law: LatePaymentLaw;
  rates: ReferenceRates;
  isPublicBody: boolean;
  contract: ContractRate;
}

/** Both days are inclusive. */
export interface Period {
  from: string;
  until: string;
}

/** Interest of one part of an invoice for days with the same amount and rate. */
export interface InterestLine {
  installment: number;
  from: string;
  to: string;
  days: number;
  amountMinor: number;
  rateBasisPoints: number;
  /** Whether the rate is above the law's, because the buyer has agreed to it. */
  isRateAboveLaw: boolean;
  /** The number of days by which the annual rate is divided: 360, 365 or 366. */
  yearDays: number;
  /** The lines of one computation sum to its rounded total. */
  interestMinor: number;
}

const BASIS_POINTS = 10_000n;
/** The least common multiple of 360, 365 and 366. */
const YEAR_DAYS = 1_603_080n;
const UNITS = BASIS_POINTS * YEAR_DAYS;

/** The lines of the interest for the days of a period. Throws MissingReferenceRate. */
export function interestOf(claim: LateClaim, terms: InterestTerms, period: Period): InterestLine[] {
  const starts = changeDays(claim, terms.law, period);
  const lines = claim.parts.flatMap((_, index) => {
    const firstDay = firstDayOf(claim, index, terms.law);
    if (firstDay === null) return [];
    const segments = starts.flatMap((start, nth) => {
      const from = start < firstDay ? firstDay : start;
      const next = starts[nth + 1];
      const to = next === undefined ? period.until : dayLater(next, -1);
      return from > to ? [] : segmentOf({ claim, terms, firstDay }, index, { from, until: to });
    });
    return merged(segments);
  });
  return rounded(lines, valueOn(terms.law.rounding, period.until) ?? 'DOWN');
}

/** The sum of lines, in minor units. */
export function interestSum(lines: readonly InterestLine[]): number {
  return lines.reduce((sum, { interestMinor }) => sum + interestMinor, 0);
}

/**
 * The first day of a part's delay; null while it still needs a reminder. A reminder does not count if it came before the last day on
 * which a payment of the part is in time, or while all of the part was disputed.
 */
export function firstDayOf(claim: LateClaim, index: number, law: LatePaymentLaw): string | null {
  const { dueOn } = claim.parts[index] as OwedPart;
  const { on: inTimeUntil } = lastDayInTime(law, dueOn);
  const afterDue = dayLater(inTimeUntil, 1);
  if (valueOn(law.first_day, afterDue) !== 'DAY_AFTER_REMINDER') return afterDue;
  const isNamed = (day: string) => day >= inTimeUntil && (undisputedOn(claim, law, day)[index] as number) > 0;
  const remindedOn = claim.remindedOn.find(isNamed);
  return remindedOn === undefined ? null : dayLater(remindedOn, 1);
}

/** The undisputed, outstanding amount of each part on a day. Disputes take the latest part first, as credit notes do. */
export function undisputedOn(
  { parts, disputes }: LateClaim,
  law: Pick<LatePaymentLaw, 'last_day'>,
  day: string,
): number[] {
  const owed = parts.map(({ amountMinor, changes }) => {
    const counted = changes.filter((change) => countsFrom(change, law) <= day);
    return Math.max(0, amountMinor + sumOf(counted));
  });
  const disputed = disputes.filter(({ from, until }) => from <= day && (until === null || day < until));
  return withoutDisputed(owed, sumOf(disputed));
}

/**
 * The amounts that disputes take off. If a credit note took off an amount when its dispute was accepted, the amount stays disputed
 * until the note counts, so that no day in between bears interest.
 */
export function disputedBy(
  disputes: readonly DisputeDays[],
  law: Pick<LatePaymentLaw, 'last_day'>,
): DisputedAmount[] {
  return disputes.flatMap(({ from, until, amountMinor, creditedMinor }): DisputedAmount[] => {
    if (until === null) return [{ from, until, amountMinor }];
    const credited = countsFrom({ on: until, amountMinor: -creditedMinor }, law);
    return [
      { from, until, amountMinor: amountMinor - creditedMinor },
      { from, until: credited, amountMinor: creditedMinor },
    ].filter((each) => each.amountMinor > 0);
  });
}

function sumOf(amounts: readonly { amountMinor: number }[]): number {
  return amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The rate of the contract: the platform's own rate up to the law's, and above it only up to the rate that the buyer has agreed to. */
export function contractRateOf(lawful: number, { basisPoints, agreedBasisPoints }: ContractRate): number {
  if (basisPoints === null) return lawful;
  return Math.min(basisPoints, Math.max(lawful, agreedBasisPoints ?? 0));
}

/** The interest that the law gives on a day; null if it gives none. */
export function lawfulInterestOn(
  { law, isPublicBody }: Pick<InterestTerms, 'law' | 'isPublicBody'>,
  day: string,
): LatePaymentLaw['interest'][number]['value'] | undefined {
  const ofPublicBodies = isPublicBody ? valueOn(law.interest_of_public_bodies, day) : undefined;
  return ofPublicBodies === undefined ? valueOn(law.interest, day) : ofPublicBodies;
}

/** The rate that the law gives for a day, in basis points. Throws MissingReferenceRate. */
export function lawfulRate(
  { law, rates, isPublicBody }: Omit<InterestTerms, 'contract'>,
  day: string,
  firstDay: string,
): number {
  const ownPeriod = isPublicBody ? valueOn(law.rate_period_of_public_bodies, day) : undefined;
  const ratePeriod = ownPeriod ?? valueOn(law.rate_period, day);
  const ruleDay = ratePeriod === 'WHOLE_DELAY' ? firstDay : day;
  const interest = lawfulInterestOn({ law, isPublicBody }, ruleDay);
  if (!interest) return 0;
  const { reference_rate: code, margin_basis_points: margin } = interest;
  if (code === null) return margin;
  const first = halfYearOf(ruleDay);
  const fixing = valueOn(law.fixing_day, ruleDay) === 'FIRST_OF_HALF_YEAR' ? first : dayLater(first, -1);
  return Math.max(0, rateOn(rates, code, fixing) + margin);
}

interface Segmented {
  claim: LateClaim;
  terms: InterestTerms;
  firstDay: string;
}

/** A line with its exact interest. */
type ExactLine = Omit<InterestLine, 'interestMinor'> & { units: bigint };

function segmentOf(
  { claim, terms, firstDay }: Segmented,
  index: number,
  { from, until }: Period,
): ExactLine[] {
  const amountMinor = undisputedOn(claim, terms.law, from)[index] as number;
  if (amountMinor === 0) return [];
  const lawful = lawfulRate(terms, from, firstDay);
  const rateBasisPoints = contractRateOf(lawful, terms.contract);
  if (rateBasisPoints === 0) return [];
  const isRateAboveLaw = rateBasisPoints > lawful;
  const yearDays = yearDaysOf(from, terms.law);
  const days = calendarDaysBetween(from, until) + 1;
  const units = BigInt(amountMinor) * BigInt(rateBasisPoints) * BigInt(days) * (YEAR_DAYS / BigInt(yearDays));
  const { number } = claim.parts[index] as OwedPart;
  const line = { installment: number, from, to: until, days, amountMinor, yearDays, units };
  return [{ ...line, rateBasisPoints, isRateAboveLaw }];
}

/** The first day of a period, and the days on which an amount, a rate or the length of the year may change. */
export function changeDays(
  { parts, disputes }: LateClaim,
  law: LatePaymentLaw,
  { from, until }: Period,
): string[] {
  const changes = [
    ...parts.flatMap((part) => part.changes.map((change) => countsFrom(change, law))),
    ...disputes.flatMap((each) => (each.until === null ? [each.from] : [each.from, each.until])),
    ...[law.interest, law.interest_of_public_bodies, law.fixing_day, law.day_count].flatMap(startsOf),
    ...[law.rate_period, law.rate_period_of_public_bodies].flatMap(startsOf),
    ...parts.map(({ dueOn }) => dayLater(dueOn, 1)),
  ];
  for (let start = halfYearOf(from); start <= until; start = dayMonthsLater(start, 6)) changes.push(start);
  return from > until
    ? []
    : [...new Set([from, ...changes.filter((day) => from < day && day <= until)])].sort();
}

const startsOf = (values: readonly { valid_from: string }[]) => values.map(({ valid_from }) => valid_from);

/** Joins adjacent lines with the same amount, rate and year. */
function merged(lines: readonly ExactLine[]): ExactLine[] {
  const joined: ExactLine[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const isSame =
      last?.amountMinor === line.amountMinor &&
      last.rateBasisPoints === line.rateBasisPoints &&
      last.yearDays === line.yearDays &&
      dayLater(last.to, 1) === line.from;
    if (isSame)
      joined[joined.length - 1] = {
        ...last,
        ...{ to: line.to, days: last.days + line.days, units: last.units + line.units },
        isRateAboveLaw: last.isRateAboveLaw || line.isRateAboveLaw,
      };
    else joined.push(line);
  }
  return joined;
}

/** Rounds the total once. Each line gets the amount by which it increases the rounded sum. */
function rounded(lines: readonly ExactLine[], rounding: 'HALF_UP' | 'DOWN'): InterestLine[] {
  const half = rounding === 'HALF_UP' ? UNITS / 2n : 0n;
  let exact = 0n;
  return lines.map(({ units, ...line }) => {
    const before = (exact + half) / UNITS;
    exact += units;
    return { ...line, interestMinor: Number((exact + half) / UNITS - before) };
  });
}

/** The first day on which a change of the debt counts. The day of a payment still bears interest if the law counts it. */
function countsFrom({ on }: AmountChange, { last_day }: Pick<LatePaymentLaw, 'last_day'>): string {
  return valueOn(last_day, on) === 'DAY_BEFORE_PAYMENT' ? on : dayLater(on, 1);
}

/** The first day of the half-year that contains a day. */
export function halfYearOf(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '01' : '07'}-01`;
}

function yearDaysOf(day: string, { day_count }: Pick<LatePaymentLaw, 'day_count'>): number {
  const count = valueOn(day_count, day);
  if (count === 'ACTUAL_360') return 360;
  if (count !== 'ACTUAL_ACTUAL') return 365;
  const year = Number(day.slice(0, 4));
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 366 : 365;
}
