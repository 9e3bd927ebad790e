import { assertPlatformWide, assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { toOrder } from '../order.queries.ts';
import { Order, OrderParams } from '../order.schemas.ts';
import { paymentDueOf } from '../payment-due.rules.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  transitionOrder,
} from '../transition-order.ts';

export const recordPrepayment = operation({
  id: 'recordPrepayment',
  summary: 'Record that a prepaid order is paid',
  description:
    'The platform states that the prepayment has arrived in full. The order keeps its status, `payment_due` becomes ' +
    'null, and the order no longer expires. Deliver from then on. Its invoices are paid when they are created. A key that is ' +
    "restricted to a merchant cannot record it: the money reached the platform's bank account.",
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'transaction',
  params: OrderParams,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Order,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { params: { external_id: 'order-1017' } },
  async run(context, { params }) {
    const { caller, vault, now, assertVersion } = context;
    const order = await lockOrderAndFacility(context, params.external_id);
    assertVisible(order, caller);
    assertPlatformWide(caller);
    assertVersion(order.version);
    orderTransitionOf(order, 'pay');
    if (paymentDueOf(order) === null)
      throw guardRefusal(order, 'pay', 'The order is not waiting for a payment in advance');
    const paid = await transitionOrder(context, order, 'pay', { paid_at: now, expires_at: null });
    return { body: toOrder(paid, vault), version: paid.version };
  },
});
