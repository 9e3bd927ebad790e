/** The prepayment that a buyer still has to make before an order may be delivered. */
import type { Currency } from '#kernel/currency';

/** A prepayment that has not been recorded. */
export interface PaymentDue {
  /** Minor units. */
  amount: number;
  currency: Currency;
  /** Unix seconds: the order expires unless the payment is recorded by then; null without a time limit. */
  due_at: number | null;
  /** What the buyer writes on the transfer: the order's external_id. */
  reference: string;
}

/** The columns of an order that decide whether a prepayment is due. */
interface PayableOrder {
  external_id: string;
  status: string;
  payment_term: string | null;
  paid_at: number | null;
  invoiced_amount: number;
  amount_gross: number;
  currency: Currency;
  expires_at: number | null;
}

/** Returns null for an order that is on credit, not confirmed, already paid, or invoiced: then the invoice is due instead. */
export function paymentDueOf(order: PayableOrder): PaymentDue | null {
  const isWaiting = order.status === 'CONFIRMED' && order.payment_term === 'PREPAYMENT';
  if (!isWaiting || order.paid_at !== null || order.invoiced_amount > 0) return null;
  const { amount_gross: amount, currency, expires_at: due_at, external_id: reference } = order;
  return { amount, currency, due_at, reference };
}
