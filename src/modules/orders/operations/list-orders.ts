import { Type } from 'typebox';
import { CurrencySchema, closed, externalId } from '#kernel/fields';
import { assertMerchantAllowed } from '#operation/caller';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByAmount,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import { findBuyersOf, toOrder } from '../order.queries.ts';
import { Order, OrderExpansion, OrderStatusSchema } from '../order.schemas.ts';
import { listOrderRows, ORDER_SORTS } from '../order-list.queries.ts';

export const listOrders = operation({
  id: 'listOrders',
  summary: 'List orders',
  tag: 'Orders',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    external_id: filterByList(externalId('An order'), 'Only these orders'),
    buyer_external_id: filterByList(externalId('A buyer'), 'Only orders of these buyers'),
    merchant_external_id: filterByList(externalId('A merchant'), 'Only orders with these merchants'),
    status: filterByList(OrderStatusSchema, 'Only these statuses'),
    currency: filterByList(CurrencySchema, 'Only these currencies'),
    created_at: filterBySeconds('Created'),
    updated_at: filterBySeconds('Last changed'),
    ordered_at: filterBySeconds('Ordered'),
    amount_gross: filterByAmount('Gross amount'),
    sort_by: sortBy(ORDER_SORTS),
    expand: Type.Optional(Type.Array(OrderExpansion)),
  }),
  status: 200,
  response: cursorListOf(Order, 'OrderList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { status: 'DRAFT', amount_gross: '1000..', sort_by: '-amount_gross', limit: '2' } },
  async run(context, { query }) {
    const { db, platformId, caller, vault } = context;
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const filter =
      caller.merchantExternalId === null
        ? query
        : { ...query, merchant_external_id: [caller.merchantExternalId] };
    const { rows, listed } = await listOrderRows(context, filter, cursorPageOf(query));
    const buyers = query.expand ? await findBuyersOf(db, platformId, rows, context) : undefined;
    const items = rows.map((row) => toOrder(row, vault, buyers?.get(row.buyer_external_id)));
    return { body: { items, ...listed } };
  },
});
