import { refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { toOrder } from '../order.queries.ts';
import { Order, OrderCancellation, OrderParams } from '../order.schemas.ts';
import { lockOrderAndFacility, orderTransitionOf, releaseAndTransitionOrder } from '../transition-order.ts';

export const cancelOrder = operation({
  id: 'cancelOrder',
  summary: 'Cancel an order',
  description:
    'Cancels a draft, an order that waits for confirmation, or a confirmed order without an invoice. Its reservation is ' +
    'released immediately. Close an order with invoices instead.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'transaction',
  params: OrderParams,
  body: OrderCancellation,
  isBodyOptional: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Order,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION', 'ORDER_HAS_INVOICE'],
  example: {
    params: { external_id: 'order-1010' },
    body: { reason: 'BUYER', comment: 'Ordered twice by mistake.' },
  },
  async run(context, { params, body }) {
    const { caller, vault, assertVersion } = context;
    const order = await lockOrderAndFacility(context, params.external_id, 'The order was cancelled.');
    assertVisible(order, caller);
    assertVersion(order.version);
    orderTransitionOf(order, 'cancel');
    if (order.invoiced_amount > 0)
      throw refusal('ORDER_HAS_INVOICE', 'An order with an invoice cannot be cancelled');
    const cancelled = await releaseAndTransitionOrder(
      context,
      order,
      'cancel',
      { cancellation_reason: body.reason ?? 'MERCHANT' },
      blankToNull(body.comment),
    );
    return { body: toOrder(cancelled, vault), version: cancelled.version };
  },
});
