/** Whether a buyer may order on credit: the rules over the buyer's standing. */
import type { Currency } from '#kernel/currency';
import { daysPastDue } from '#kernel/days-past-due';
import { type Problem, refusal } from '#kernel/problem';
import type { FacilityRow } from './facility.queries.ts';
import type { LimitPolicy } from './limit-policy.rules.ts';

/** The overdue part of an invoice in a buyer's standing. */
export interface Overdue {
  /** When the earliest unpaid instalment was due. Unix seconds. */
  due_at: number;
  currency: Currency;
  /** The outstanding amount of the instalments whose due day has ended, in minor units. */
  outstanding_amount: number;
}

/** The amount owed of one instalment of a DUE invoice. The due day of the instalment can be in the future. */
export interface OwedOfInvoice extends Overdue {
  invoice_external_id: string;
}

/** What is overdue at an instant (unix seconds), per invoice: the instalments whose due day has ended by then. */
export function overdueOn(owed: readonly OwedOfInvoice[], now: number, timeZone: string): Overdue[] {
  const ended = owed.filter(({ due_at }) => daysPastDue(due_at, now, timeZone) > 0);
  return [...Map.groupBy(ended, (each) => each.invoice_external_id).values()].map((installments) => ({
    due_at: Math.min(...installments.map(({ due_at }) => due_at)),
    currency: (installments[0] as OwedOfInvoice).currency,
    outstanding_amount: installments.reduce((sum, each) => sum + each.outstanding_amount, 0),
  }));
}

/** Everything that decides whether a buyer may order on credit. */
export interface Standing {
  /** The platform's time zone, in which days are counted. */
  timeZone: string;
  facility: FacilityRow | null;
  limitPolicy: LimitPolicy;
  overdue: Overdue[];
  /** The decision that referred a pending increase to a person; null without one, or if it was not read. */
  increaseDecisionId: string | null;
}

/** Returns null if the buyer may order this amount on credit now, else the problem. `now` in unix seconds. */
export function creditRefusal(
  standing: Standing,
  order: { grossMinor: number; currency: Currency },
  now: number,
): Problem | null {
  const { facility, limitPolicy } = standing;
  switch (facility?.status) {
    case undefined:
    case 'PENDING':
    case 'REJECTED':
      return refusal('NO_ACTIVE_FACILITY', 'The buyer has no granted credit facility', {
        status: facility?.status ?? null,
        decision_id: facility?.decision_id ?? null,
      });
    case 'FROZEN':
      return refusal('FACILITY_FROZEN', "The buyer's facility is frozen and takes no new orders");
    case 'EXPIRED':
      return refusal('FACILITY_EXPIRED', "The period of the buyer's facility has ended", {
        expires_at: facility.expires_at,
        decision_id: facility.decision_id,
      });
  }
  const running = facility as FacilityRow;
  // The transition to EXPIRED may come late, but the period has ended.
  if (running.expires_at !== null && running.expires_at <= now)
    return refusal('FACILITY_EXPIRED', "The period of the buyer's facility has ended", {
      expires_at: running.expires_at,
      decision_id: running.decision_id,
    });
  return (
    currencyRefusal(running, order.currency) ??
    overdueRefusal(standing, now) ??
    (order.grossMinor > roomOf(running, limitPolicy.tolerancePercent)
      ? exceeded(running, order.grossMinor)
      : null)
  );
}

/** Whether only the limit is too small for the order: an increase would allow it. */
export function isLimitTooSmall(
  standing: Standing,
  order: { grossMinor: number; currency: Currency },
  now: number,
): boolean {
  return creditRefusal(standing, order, now)?.reason === TOO_SMALL;
}

/** Whether the order waits for a review of the facility, either of its first limit or of the increase that the order needs. */
export function isFacilityAwaited(
  standing: Standing,
  order: { grossMinor: number; currency: Currency },
  now: number,
): boolean {
  if (standing.facility?.status === 'PENDING') return true;
  return standing.increaseDecisionId !== null && isLimitTooSmall(standing, order, now);
}

/**
 * Like `creditRefusal`, but while a person reviews the facility returns only problems that no grant would solve. The grant
 * is compared with the order once it is known.
 */
export function refusalWhilePending(
  standing: Standing,
  order: { grossMinor: number; currency: Currency },
  now: number,
): Problem | null {
  const { facility } = standing;
  if (facility?.status === 'PENDING')
    return currencyRefusal(facility, order.currency) ?? overdueRefusal(standing, now);
  return isFacilityAwaited(standing, order, now) ? null : creditRefusal(standing, order, now);
}

function currencyRefusal({ currency: ofFacility }: FacilityRow, currency: Currency): Problem | null {
  if (ofFacility === currency) return null;
  return refusal(
    'FACILITY_CURRENCY_CONFLICT',
    `The buyer's facility is in ${ofFacility}, the order in ${currency}`,
    { facility_currency: ofFacility, currency },
  );
}

/** The amount that can still be authorized, with the tolerance, in minor units; never below 0. */
export function roomOf(facility: FacilityRow, tolerancePercent: number): number {
  const { total_amount: total, used_amount: used, pending_orders_amount: pending } = facility;
  const ceiling = total + Number((BigInt(total) * BigInt(tolerancePercent)) / 100n);
  return Math.max(0, ceiling - used - pending);
}

const TOO_SMALL = 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT';

export function exceeded(facility: FacilityRow, requestedMinor: number): Problem {
  return refusal(
    TOO_SMALL,
    `The facility has ${facility.available_amount} available and ${requestedMinor} was requested`,
    {
      requested: requestedMinor,
      available: facility.available_amount,
      currency: facility.currency,
      decision_id: facility.decision_id,
    },
  );
}

/** Amounts of different currencies cannot be added: the stop applies to each currency. */
function overdueRefusal(standing: Standing, now: number): Problem | null {
  const { limitPolicy, timeZone } = standing;
  const late = arrears(standing, limitPolicy.overdueStopDays, now);
  const sums = [...Map.groupBy(late, (invoice) => invoice.currency)].map(([currency, invoices]) => ({
    currency,
    amountMinor: invoices.reduce((sum, invoice) => sum + invoice.outstanding_amount, 0),
    days: Math.max(...invoices.map((invoice) => daysPastDue(invoice.due_at, now, timeZone))),
  }));
  const stopping = sums.find(({ amountMinor }) => amountMinor >= limitPolicy.overdueStopAmountMinor);
  if (!stopping) return null;
  return refusal('BUYER_OVERDUE', 'The buyer owes more, or for longer, than the limit policy allows', {
    overdue_amount: stopping.amountMinor,
    currency: stopping.currency,
    days_past_due: stopping.days,
  });
}

/** Whether the buyer's next order needs a review: an invoice is overdue beyond the grace and below the stop. */
export function needsReview(standing: Standing, now: number): boolean {
  return arrears(standing, standing.limitPolicy.overdueGraceDays + 1, now).length > 0;
}

/** The invoices that are overdue for at least `daysMin` days by more than a residue. */
export function arrears(
  { overdue, limitPolicy, timeZone }: Pick<Standing, 'overdue' | 'limitPolicy' | 'timeZone'>,
  daysMin: number,
  now: number,
): Overdue[] {
  return overdue.filter(
    ({ outstanding_amount: outstanding, due_at: dueAt }) =>
      outstanding > limitPolicy.overdueResidueAmountMinor && daysPastDue(dueAt, now, timeZone) >= daysMin,
  );
}
