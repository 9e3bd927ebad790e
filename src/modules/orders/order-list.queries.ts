/** Lists of orders. Every filter and sort has its index. The most requested totals are maintained. */
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import { orderLifecycle } from './order.lifecycle.ts';
import { findOrders } from './order.queries.ts';

export const ORDER_SORTS = ['created_at', 'updated_at', 'ordered_at', 'amount_gross', 'external_id'] as const;

export interface OrderFilter {
  external_id?: string[];
  buyer_external_id?: string[];
  merchant_external_id?: string[];
  status?: string[];
  currency?: string[];
  created_at?: string;
  updated_at?: string;
  ordered_at?: string;
  amount_gross?: string;
}

export const orderTotals = {
  list: 'orders',
  by: [['status'], ['currency'], ['status', 'buyer_external_id'], ['status', 'merchant_external_id']],
} as const;

const ORDERS: ListTable<OrderFilter> = {
  table: 'orders',
  key: 'external_id',
  values: ['external_id', 'buyer_external_id', 'merchant_external_id', 'status', 'currency'],
  ranges: ['created_at', 'updated_at', 'ordered_at', 'amount_gross'],
  spread: {
    column: 'status',
    values: orderLifecycle.states,
    after: ['buyer_external_id', 'merchant_external_id', 'currency'],
  },
  counted: orderTotals.by,
};

export async function listOrderRows(context: ListContext, filter: OrderFilter, page: CursorPage) {
  const { keys, listed } = await listKeys(context, ORDERS, filter, page);
  const { db, platformId } = context;
  const rows = await findOrders(
    db,
    keys.map((externalId) => ({ platformId, externalId })),
  );
  return { listed, rows: rows.filter((row) => row !== undefined) };
}
