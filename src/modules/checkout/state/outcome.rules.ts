import type { OrderStatus } from '#modules/orders';
import type { CheckoutOutcome } from './checkout.view.ts';

const OUTCOMES: Record<OrderStatus, CheckoutOutcome | null> = {
  DRAFT: null,
  PENDING_CONFIRMATION: 'UNDER_REVIEW',
  CONFIRMED: 'CONFIRMED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
  DISBURSED: 'COMPLETE',
  CLOSED: 'COMPLETE',
};

/** The order's outcome for the buyer; null while the order is a draft. */
export function checkoutOutcomeOf(order: {
  status: OrderStatus;
  cancellation_reason: string | null;
}): CheckoutOutcome | null {
  if (order.status === 'CANCELLED' && order.cancellation_reason === 'RISK') return 'REFUSED';
  return OUTCOMES[order.status];
}

/** Whether the buyer returns to the success URL rather than the error URL. */
export function isGoodOutcome(outcome: CheckoutOutcome | null): boolean {
  return outcome === 'CONFIRMED' || outcome === 'UNDER_REVIEW' || outcome === 'COMPLETE';
}

/** Whether a buyer may cancel an order with this status. The merchant already knows about a confirmed one. */
export function isCancellable(order: { status: string }): boolean {
  return order.status === 'DRAFT' || order.status === 'PENDING_CONFIRMATION';
}
