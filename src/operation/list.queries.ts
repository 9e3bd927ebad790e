/** What lists of every module say in SQL: a range, and an order with stable ties. The tenant is the caller's to name. */
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { rangeOf } from './list.ts';

/** The order the caller asked for; equal values by external_id, so that pages are stable. */
export function sorted<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  sort: string | undefined,
  columns: Record<string, Expression<unknown>>,
  tie: Expression<unknown>,
): SelectQueryBuilder<DB, TB, O> {
  const name = sort ?? '-created_at';
  const direction = name.startsWith('-') ? 'desc' : 'asc';
  const column = columns[name.replace('-', '')] as Expression<unknown>;
  return query.orderBy(column, direction).orderBy(tie, 'asc');
}

export function within(column: Expression<unknown>, range: string): Expression<SqlBool> {
  const { gte, lte } = rangeOf(range);
  return sql<SqlBool>`${column} between ${gte} and ${lte}`;
}
