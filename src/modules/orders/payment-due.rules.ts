/** What a buyer still has to pay before an order may be delivered. */
import type { Currency } from '#kernel/currency';

/** A payment in advance that has not been recorded. */
export interface PaymentDue {
  /** Minor units. */
  amount: number;
  currency: Currency;
  /** Unix seconds: the order expires unless the payment is recorded before; null without a time limit. */
  due_at: number | null;
  /** What the buyer writes on the transfer: the order's external_id. */
  reference: string;
}

/** What of an order decides it. */
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

/** Null for an order on credit, one that is not confirmed, and one that is paid or invoiced: the invoice is due then. */
export function paymentDueOf(order: PayableOrder): PaymentDue | null {
  const isWaiting = order.status === 'CONFIRMED' && order.payment_term === 'PREPAYMENT';
  if (!isWaiting || order.paid_at !== null || order.invoiced_amount > 0) return null;
  const { amount_gross: amount, currency, expires_at: due_at, external_id: reference } = order;
  return { amount, currency, due_at, reference };
}
