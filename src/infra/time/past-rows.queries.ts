/** Rows of all platforms that are older than an instant, each by the clock of its platform. */
import { type RawBuilder, sql } from 'kysely';
import type { DB } from '../database/schema.ts';

export interface PastRows<Name extends keyof DB> {
  table: Name;
  /** The columns of its key. */
  key: readonly (keyof DB[Name] & string)[];
  /** Unix seconds of the platform's clock, of the row `t`: a column or an expression, with an index that begins with it. */
  at: RawBuilder<number>;
  /** A condition that rows must meet: that of a partial index. */
  condition?: RawBuilder<unknown>;
}

/**
 * Selects the keys of at most `countMax` rows from before `realInstant`, in unix seconds of the real clock, of platforms that do not
 * move to another database. It reads no more than what is that old by the clock that is furthest ahead, however many platforms there
 * are.
 */
export function pastRows<Name extends keyof DB>(
  { table, key, at, condition = sql`true` }: PastRows<Name>,
  realInstant: number,
  countMax: number,
): RawBuilder<unknown> {
  const keys = sql.raw(key.map((column) => `t.${column}`).join(', '));
  return sql`
    select ${keys} from ${sql.table(table)} t join platforms p on p.platform_id = t.platform_id
    where ${at} < ${realInstant}::bigint + (select max(clock_ahead_seconds) from platforms)
      and ${at} < ${realInstant}::bigint + p.clock_ahead_seconds and p.relocating_since is null and ${condition}
    limit ${countMax}`;
}
