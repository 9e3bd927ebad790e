import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { toHistoryEntry } from '#operation/history';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { findOrder } from '../order.queries.ts';
import { OrderHistoryEntry, OrderParams } from '../order.schemas.ts';
import { listOrderTransitions } from '../order-transitions.queries.ts';

export const listOrderHistory = operation({
  id: 'listOrderHistory',
  summary: 'List the history of an order',
  description:
    'Every transition, latest first, with its actor, reason and the credit decision that caused it.',
  tag: 'Orders',
  scope: 'read',
  effect: 'read',
  params: OrderParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(OrderHistoryEntry, 'OrderHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'order-1016' } },
  async run(context, { params: { external_id: externalId }, query }) {
    const { db, platformId, caller } = context;
    const order = await findOrder(db, { platformId, externalId });
    if (!order) throw notFound();
    assertVisible(order, caller);
    const { rows, listed } = await listOrderTransitions(context, externalId, cursorPageOf(query));
    const items = rows.map((row) => toHistoryEntry(row, caller) as OrderHistoryEntry);
    return { body: { items, ...listed } };
  },
});
