/** SQL that lists share. The caller restricts the query to its platform. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { rangeOf } from './list.ts';

export function within(column: Expression<unknown>, range: string): RawBuilder<SqlBool> {
  const { gte, lte } = rangeOf(range);
  return sql<SqlBool>`${column} between ${gte} and ${lte}`;
}
