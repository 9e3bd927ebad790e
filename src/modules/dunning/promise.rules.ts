/** The rules for valid promises to pay. */
import type { InvoiceRow } from '#modules/invoices';

/** What a buyer promised. */
export interface PromisedPayment {
  /** Minor units in the currency of the invoice. */
  amountMinor: number;
  /** The last day of the promise, written 2026-01-31. */
  untilOn: string;
}

export type PromiseFault = 'BEFORE_TODAY' | 'MORE_THAN_OUTSTANDING';

/** Why a promise about the invoice is not valid; null if it is. `today` is the day of the platform's calendar. */
export function promiseFault(
  { outstanding_amount }: Pick<InvoiceRow, 'outstanding_amount'>,
  { amountMinor, untilOn }: PromisedPayment,
  today: string,
): PromiseFault | null {
  if (untilOn < today) return 'BEFORE_TODAY';
  return amountMinor < 1 || amountMinor > outstanding_amount ? 'MORE_THAN_OUTSTANDING' : null;
}
