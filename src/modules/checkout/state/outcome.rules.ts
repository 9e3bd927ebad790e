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

/** What has become of an order, in the buyer's view; null while it is a draft. */
export function checkoutOutcomeOf(order: {
  status: string;
  cancellation_reason: string | null;
}): CheckoutOutcome | null {
  if (order.status === 'CANCELLED' && order.cancellation_reason === 'RISK') return 'REFUSED';
  return OUTCOMES[order.status as OrderStatus];
}

/** Where a buyer is sent afterwards: to the page for what went well, or to the other one. */
export function isGoodOutcome(outcome: CheckoutOutcome | null): boolean {
  return outcome === 'CONFIRMED' || outcome === 'UNDER_REVIEW' || outcome === 'COMPLETE';
}

/** Whether a buyer may still cancel: what is confirmed the merchant has been told of already. */
export function isCancellable(order: { status: string }): boolean {
  return order.status === 'DRAFT' || order.status === 'PENDING_CONFIRMATION';
}
