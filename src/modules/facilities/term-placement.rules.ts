/** The terms that the method and the date of an order rule out. Checked when the order is made, not at a later decision. */
import { daysPastDue } from '#kernel/days-past-due';
import { instalmentsOf, isOnCredit, type PaymentMethod, type PaymentTerm } from '#kernel/payment-term';
import { type TermRefusal, termNotOffered } from './payment-terms.rules.ts';

/** How and when an order is made. */
export interface TermPlacement {
  paymentMethod: PaymentMethod;
  /** Whether the buyer has an active mandate. It matters for a debit only. */
  hasMandate: boolean;
  /** Unix seconds: the term counts from here. */
  orderedAt: number;
}

export const PLACEMENT_REASONS = ['PAYMENT_METHOD', 'NO_ACTIVE_MANDATE', 'ALREADY_DUE'] as const;
export type PlacementReason = (typeof PLACEMENT_REASONS)[number];

/**
 * Why the term cannot be used with the method or the date; null if it can. Prepayment allows every method. A term on credit
 * allows a transfer, or a debit if the buyer has a mandate. It must not have its first due day in the past, in the time zone
 * of the platform. `now` in unix seconds.
 */
export function placementRefusal(
  term: PaymentTerm,
  { paymentMethod, hasMandate, orderedAt }: TermPlacement,
  timeZone: string,
  now: number,
): TermRefusal<PlacementReason> | null {
  if (!isOnCredit(term)) return null;
  const more = { payment_method: paymentMethod };
  if (paymentMethod === 'DEBIT' && !hasMandate) return termNotOffered(term, 'NO_ACTIVE_MANDATE', more);
  if (paymentMethod !== 'DEBIT' && paymentMethod !== 'TRANSFER')
    return termNotOffered(term, 'PAYMENT_METHOD', more);
  const [first] = instalmentsOf(term, 0, orderedAt, timeZone);
  if (first !== undefined && daysPastDue(first.dueAt, now, timeZone) > 0)
    return termNotOffered(term, 'ALREADY_DUE', { due_at: first.dueAt });
  return null;
}
