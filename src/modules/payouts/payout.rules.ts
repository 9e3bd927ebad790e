/** The amount, the day and the account of a payout. */
import { addBusinessDays, type BusinessCalendar, isBusinessDay, nextBusinessDay } from '#kernel/business-day';
import type { Currency } from '#kernel/currency';
import { dayLater } from '#kernel/day';
import { type Problem, refusal } from '#kernel/problem';
import type { PayableInstruction } from '#modules/payees';

/** The terms on which the earliest day of a payout depends. Days are those of the platform's calendar. */
export interface PayoutDayTerms {
  today: string;
  /** The day that the merchant requests; null for as soon as possible. */
  requestedOn: string | null;
  /** `min_payout_business_day` of the platform. */
  minBusinessDays: number;
  /** `payout_term` of the platform: calendar days after the acceptance, which is today. */
  payoutTermDays: number;
}

/** The first business day on which all terms allow the payout. */
export function earliestPayoutDay(
  calendar: BusinessCalendar,
  { today, requestedOn, minBusinessDays, payoutTermDays }: PayoutDayTerms,
): string {
  const soonest = addBusinessDays(calendar, today, minBusinessDays);
  const agreed = dayLater(today, payoutTermDays);
  return nextBusinessDay(calendar, [soonest, agreed, requestedOn ?? today].sort().at(-1) as string);
}

/** Why a payout cannot be scheduled for the requested day; null if it can. */
export function payoutDayRefusal(
  calendar: BusinessCalendar,
  terms: PayoutDayTerms & { requestedOn: string },
): Problem | null {
  const { requestedOn } = terms;
  const earliestOn = earliestPayoutDay(calendar, { ...terms, requestedOn: null });
  const details = { requested_on: requestedOn, currency: calendar.currency };
  if (requestedOn < earliestOn)
    return refusal('PAYOUT_DATE_TOO_EARLY', `The earliest day of a payout is ${earliestOn}`, {
      ...details,
      earliest_on: earliestOn,
    });
  if (isBusinessDay(calendar, requestedOn)) return null;
  const nextOn = nextBusinessDay(calendar, requestedOn);
  return refusal(
    'PAYOUT_DATE_NOT_BUSINESS_DAY',
    `Banks are closed on ${requestedOn}: the next business day is ${nextOn}`,
    { ...details, earliest_on: nextOn },
  );
}

/**
 * The account that a merchant is paid to: SEPA for euro and FPS for pounds, else SWIFT. Among several, the newest, because a merchant
 * registers the new account before it removes the old one.
 * @param instructions The payable instructions of the merchant, newest first.
 */
export function instructionFor(
  currency: Currency,
  instructions: readonly PayableInstruction[],
): PayableInstruction | undefined {
  const own = currency === 'EUR' ? 'SEPA' : currency === 'GBP' ? 'FPS' : null;
  return instructions.find(({ type }) => type === own) ?? instructions.find(({ type }) => type === 'SWIFT');
}

/**
 * The amount deducted from lines that sum to `dueMinor` if the merchant owes `owedMinor`. A payout is never below zero; the rest of the
 * debt is deducted from the next payout. Below 0 for what the merchant overpaid. Null if the lines themselves are below zero, in which
 * case they wait for others.
 */
export function setOffOf(dueMinor: number, owedMinor: number): number | null {
  return dueMinor < 0 ? null : Math.min(dueMinor, owedMinor);
}
