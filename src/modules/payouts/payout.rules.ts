/** The amount, the day and the account of a payout. */
import { addBusinessDays, type BusinessCalendar, isBusinessDay, nextBusinessDay } from '#kernel/business-day';
import type { Currency } from '#kernel/currency';
import { dayLater } from '#kernel/day';
import { type Problem, refusal } from '#kernel/problem';
import type { PayableInstruction } from '#modules/payees';
import type { WaitingSum } from './payout-line.queries.ts';

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
 * debt is deducted from the next payout. Below 0 for what the merchant overpaid. Null if the lines are below zero by more than the merchant
 * overpaid, in which case they wait for others.
 */
export function setOffOf(dueMinor: number, owedMinor: number): number | null {
  return dueMinor < 0 && owedMinor > dueMinor ? null : Math.min(dueMinor, owedMinor);
}

/** The amounts that wait for a merchant in one currency, in minor units. */
export interface WaitingForMerchant {
  merchant: string;
  currency: Currency;
  /** The sum of its lines; 0 without lines. */
  dueMinor: number;
  /** The debt of the merchant; below 0 if it overpaid. */
  owedMinor: number;
}

/**
 * Adds to each payable sum the debt of its merchant. Money that a merchant overpaid is part of its next payout; it is paid out alone only
 * if no line of the merchant waits, not even for a later day.
 */
export function withDebts(
  payable: readonly WaitingSum[],
  waiting: readonly WaitingSum[],
  debts: readonly { party: string; currency: Currency; amount: number }[],
): WaitingForMerchant[] {
  const keyOf = (merchant: string, currency: Currency) => `${merchant}/${currency}`;
  const withLines = new Set(waiting.map((each) => keyOf(each.merchant_external_id, each.currency)));
  const owed = new Map(debts.map(({ party, currency, amount }) => [keyOf(party, currency), amount]));
  return [
    ...payable.map(({ merchant_external_id: merchant, currency, amount: dueMinor }) => ({
      ...{ merchant, currency, dueMinor },
      owedMinor: owed.get(keyOf(merchant, currency)) ?? 0,
    })),
    ...debts
      .filter(({ party, currency, amount }) => amount < 0 && !withLines.has(keyOf(party, currency)))
      .map(({ party: merchant, currency, amount: owedMinor }) => ({
        ...{ merchant, currency, owedMinor },
        dueMinor: 0,
      })),
  ];
}
