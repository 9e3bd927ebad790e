/** Rows of all platforms that are older than an instant by the clock of their platform. */
import { type RawBuilder, sql } from 'kysely';
import type { DB } from '../database/schema.ts';

export interface PastRows<Name extends keyof DB> {
  table: Name;
  /** The columns of its key. */
  key: readonly (keyof DB[Name] & string)[];
  /** Unix seconds by the platform's clock: a column of the row `t`, or an expression on it, that an index begins with. */
  at: RawBuilder<number>;
  /** A condition that rows must meet: that of a partial index. */
  condition?: RawBuilder<unknown>;
}

/**
 * Selects the keys of at most `countMax` rows older than `realInstant` (unix seconds of the real clock), except on platforms that are
 * moving to another database. It reads only rows that are this old by the clock that is furthest ahead, regardless of the number of
 * platforms.
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
