import { operation } from '#operation/operation';
import { toOrder } from '../order.queries.ts';
import { assertVisible } from '../order.rules.ts';
import { Order, OrderParams } from '../order.schemas.ts';
import {
  guardRefusal,
  lockOrderAndFacility,
  orderTransitionOf,
  releaseAndTransitionOrder,
} from '../transition-order.ts';

export const closeOrder = operation({
  id: 'closeOrder',
  summary: 'Close an order short',
  description:
    'No further invoice will come: the rest of the reservation is released at once. An order with invoices keeps its status ' +
    'and becomes CLOSED when they are settled. An order without invoices becomes CANCELLED.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'transaction',
  params: OrderParams,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Order,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  example: { params: { external_id: 'order-1011' } },
  async run(context, { params }) {
    const { caller, vault, assertVersion } = context;
    const order = await lockOrderAndFacility(context, params.external_id);
    assertVisible(order, caller);
    assertVersion(order.version);
    const hasInvoice = order.invoiced_amount > 0;
    const trigger = hasInvoice ? 'close_short' : 'close';
    orderTransitionOf(order, trigger);
    // An order whose invoices were all cancelled ends here.
    if (hasInvoice && order.is_closed_short)
      throw guardRefusal(order, trigger, 'The order is already closed short');
    const closed = await releaseAndTransitionOrder(
      context,
      order,
      trigger,
      hasInvoice ? { is_closed_short: true } : { cancellation_reason: 'MERCHANT' },
    );
    return { body: toOrder(closed, vault), version: closed.version };
  },
});
