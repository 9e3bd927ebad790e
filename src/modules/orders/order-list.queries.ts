/** Lists of orders. Every filter and sort has its index. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DB, Orders } from '#infra/database/schema';
import { listPage, type Page } from '#operation/list';
import { sorted, within } from '#operation/list.queries';
import type { OrderRow } from './order.queries.ts';

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

export async function listOrderRows(
  db: Db,
  platformId: number,
  filter: OrderFilter,
  sort: string | undefined,
  page: Page,
) {
  const matching = filtered(db.selectFrom('orders as o').where('o.platform_id', '=', platformId), filter);
  const columns = Object.fromEntries(ORDER_SORTS.map((name) => [name, sql.ref(`o.${name}`)]));
  const rows = sorted(matching, sort, columns, sql.ref('o.external_id'))
    .innerJoin('buyers as b', (join) =>
      join.onRef('b.platform_id', '=', 'o.platform_id').onRef('b.external_id', '=', 'o.buyer_external_id'),
    )
    .selectAll('o')
    .select('b.legal_name as buyer_legal_name')
    .$castTo<OrderRow>()
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const count = matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const [items, { total }] = await Promise.all([rows, count]);
  return listPage(items, total, page);
}

const LIST_FILTERS = [
  'external_id',
  'buyer_external_id',
  'merchant_external_id',
  'status',
  'currency',
] as const;
const RANGE_FILTERS = ['created_at', 'updated_at', 'ordered_at', 'amount_gross'] as const;

function filtered<O>(query: SelectQueryBuilder<DB & { o: Orders }, 'o', O>, filter: OrderFilter) {
  let narrowed = query;
  for (const name of LIST_FILTERS) {
    if (filter[name]) narrowed = narrowed.where(sql<boolean>`${sql.ref(`o.${name}`)} = any(${filter[name]})`);
  }
  for (const name of RANGE_FILTERS) {
    if (filter[name]) narrowed = narrowed.where(within(sql.ref(`o.${name}`), filter[name]));
  }
  return narrowed;
}
