import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { toHistoryEntry } from '#operation/history';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findOrder } from '../order.queries.ts';
import { OrderHistoryEntry, OrderParams } from '../order.schemas.ts';
import { listOrderTransitions } from '../order-transitions.queries.ts';

export const listOrderHistory = operation({
  id: 'listOrderHistory',
  summary: 'List the history of an order',
  description:
    'Every transition, the latest first, with its actor, its reason and the credit decision that caused it.',
  tag: 'Orders',
  scope: 'read',
  effect: 'read',
  params: OrderParams,
  query: closed(paging),
  status: 200,
  response: listOf(OrderHistoryEntry, 'OrderHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'order-1016' } },
  async run({ db, platformId, caller }, { params, query }) {
    const key = { platformId, externalId: params.external_id };
    const order = await findOrder(db, key);
    if (!order) throw notFound();
    assertVisible(order, caller);
    const page = pageOf(query);
    const { rows, total } = await listOrderTransitions(db, key, page);
    const items = rows.map((row) => toHistoryEntry(row, caller) as OrderHistoryEntry);
    return { body: listPage(items, total, page) };
  },
});
