/** SQL that lists share: a range, and an order with stable ties. The caller restricts the query to its platform. */
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { rangeOf } from './list.ts';

/** Sorts as requested, and equal values by `tie`, so that pages are stable. */
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
