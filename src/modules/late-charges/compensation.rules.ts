/** The fixed compensation for the costs of recovery: once for an invoice, without proof of the costs. */
import type { Currency } from '#kernel/currency';
import { dayLater } from '#kernel/day';
import { changeDays, firstDayOf, halfYearOf, type LateClaim, undisputedOn } from './late-interest.rules.ts';
import type { LatePaymentLaw, ReferenceRates } from './late-payment-law.schemas.ts';
import { rateOn, valueOn } from './reference-rate.rules.ts';

/** The overdue amount of an invoice. */
export interface OverdueAmount {
  /** The first day of the delay, whose law and rates apply. */
  firstDay: string;
  amountMinor: number;
  currency: Currency;
}

const TEN_THOUSAND = 10_000n;

/**
 * The delay that is charged first, by what was undisputed and outstanding until yesterday; undefined while nothing is late. The amount
 * is the highest amount of that part in delay on one day: laws grade the compensation by the debt, and the part of a debt that a
 * dispute paused counts from the rejection on. The first day stays that of the law: a dispute pauses charges but moves no due day.
 */
export function firstDelayOf(
  claim: LateClaim,
  law: LatePaymentLaw,
  today: string,
): Omit<OverdueAmount, 'currency'> | undefined {
  const until = dayLater(today, -1);
  return claim.parts
    .flatMap((_, index) => {
      const firstDay = firstDayOf(claim, index, law);
      if (firstDay === null) return [];
      const charged = changeDays(claim, law, { from: firstDay, until })
        .map((day) => ({ day, amountMinor: undisputedOn(claim, law, day)[index] as number }))
        .filter((each) => each.amountMinor > 0);
      const [first] = charged;
      const amountMinor = Math.max(...charged.map((each) => each.amountMinor));
      return first ? [{ firstDay, amountMinor, chargedFrom: first.day }] : [];
    })
    .sort((one, other) => one.chargedFrom.localeCompare(other.chargedFrom))[0];
}

/**
 * The compensation in minor units of the invoice's currency; null if the law gives none, or none in this currency. Throws
 * MissingReferenceRate if the law names euros and their rate of the day is unknown.
 */
export function compensationOf(
  { compensation }: Pick<LatePaymentLaw, 'compensation'>,
  rates: ReferenceRates,
  { firstDay, amountMinor, currency }: OverdueAmount,
): number | null {
  const fixed = valueOn(compensation, firstDay);
  if (!fixed || fixed.currency !== currency) return null;
  const tier = fixed.tiers.findLast(({ from_minor }) => from_minor <= amountMinor);
  if (!tier) return null;
  if (fixed.conversion === null) return tier.amount_minor;
  const { rate, day } = fixed.conversion;
  const exact = BigInt(tier.amount_minor) * BigInt(rateOn(rates, rate, conversionDay(day, firstDay)));
  return Number((exact + TEN_THOUSAND / 2n) / TEN_THOUSAND);
}

type ConversionDay = 'FIRST_DAY_OF_DELAY' | 'END_OF_PREVIOUS_MONTH' | 'FIRST_OF_HALF_YEAR';

function conversionDay(day: ConversionDay, firstDay: string): string {
  if (day === 'FIRST_DAY_OF_DELAY') return firstDay;
  return day === 'FIRST_OF_HALF_YEAR' ? halfYearOf(firstDay) : dayLater(`${firstDay.slice(0, 7)}-01`, -1);
}
