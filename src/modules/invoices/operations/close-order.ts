import {
  closeShort,
  findOrder,
  lockOrderAndFacility,
  Order,
  OrderParams,
  type OrderRow,
  settleOrders,
  toOrder,
} from '#modules/orders';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { listEndedOrders } from '../settled-orders.queries.ts';

export const closeOrder = operation({
  id: 'closeOrder',
  summary: 'Close an order short',
  description:
    'No further invoice will come: the rest of the reservation is released immediately. An order with invoices becomes ' +
    'CLOSED as soon as all of them are settled. An order without invoices becomes CANCELLED.',
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
    const { db, platformId, caller, vault, actor, now, assertVersion } = context;
    const order = await lockOrderAndFacility(context, params.external_id);
    assertVisible(order, caller);
    assertVersion(order.version);
    const closed = await closeShort(context, order);
    // If all its invoices are already paid, no settlement follows that would close the order.
    const ended = await listEndedOrders(db, platformId, [closed.external_id]);
    await settleOrders(
      db,
      platformId,
      ended.map((orderExternalId) => ({ orderExternalId, actor, now })),
    );
    const row =
      ended.length === 0
        ? closed
        : ((await findOrder(db, { platformId, externalId: closed.external_id })) as OrderRow);
    return { body: toOrder(row, vault), version: row.version };
  },
});
