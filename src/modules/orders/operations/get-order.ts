import { Type } from 'typebox';
import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findBuyersOf, findOrder, toOrder } from '../order.queries.ts';
import { Order, OrderExpansion, OrderParams } from '../order.schemas.ts';

export const getOrder = operation({
  id: 'getOrder',
  summary: 'Retrieve an order',
  tag: 'Orders',
  scope: 'read',
  effect: 'read',
  params: OrderParams,
  query: closed({ expand: Type.Optional(Type.Array(OrderExpansion)) }),
  isVersioned: true,
  status: 200,
  response: Order,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'order-1017' }, query: { expand: 'buyer' } },
  async run(context, { params, query }) {
    const { db, platformId, caller, vault } = context;
    const row = await findOrder(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    assertVisible(row, caller);
    const buyers = query.expand ? await findBuyersOf(db, platformId, [row], context) : undefined;
    const body = toOrder(row, vault, buyers?.get(row.buyer_external_id));
    return { body, version: row.version, isBeyondVersion: buyers !== undefined };
  },
});
