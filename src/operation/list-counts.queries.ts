/**
 * Totals of lists that are maintained instead of counted. A trigger, in the migration of the list, writes their changes within the
 * statement that writes the rows.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { onAllPlatforms } from '#infra/database/each-platform';
import type { DB } from '#infra/database/schema';
import { inTransaction } from '#infra/database/transaction';

/** The individual changes in the rows `c`, as `d (filter, value, rows_change)`. */
const EACH_CHANGE = sql`cross join lateral unnest(c.filters, c.filter_values, c.rows_changes) d(filter, value, rows_change)`;

export interface CountedList {
  /** The table that the list shows. */
  list: string;
  /** What rows are counted: `name` is the filter's name in the migration of the list, '' for all rows; a row has one of `values`. */
  filter: { name: string; values: readonly string[] };
}

/** The exact total of a counted list, at a cost that does not grow with it. */
export async function findListTotal(
  db: Db,
  platformId: number,
  { list, filter: { name, values } }: CountedList,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(counted.rows_count), 0)::bigint as total
    from (
      select rows_count from list_counts
      where platform_id = ${platformId} and list = ${list} and filter = ${name} and value = any(${values}::text[])
      union all
      select d.rows_change from list_count_changes c ${EACH_CHANGE}
      where c.platform_id = ${platformId} and c.list = ${list} and d.filter = ${name} and d.value = any(${values}::text[])
    ) counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** How long rows are counted for a total. */
const COUNTING_MS = 2_000;

/** The total of a list without a maintained count. Null if counting takes too long: then the page is answered without a total. */
export async function countInTime(db: Db, count: RawBuilder<{ total: number }>): Promise<number | null> {
  const totalOf = async (on: Db) => (await count.execute(on)).rows[0]?.total ?? 0;
  // Reaching a time limit would abort the transaction, and all work that shares it.
  if (db.isTransaction) return totalOf(db);
  try {
    return await inTransaction(db, async (transaction) => {
      await sql`select set_config('statement_timeout', ${String(COUNTING_MS)}, true)`.execute(transaction);
      return totalOf(transaction);
    });
  } catch (error) {
    if ((error as { code?: string } | null)?.code === QUERY_CANCELED) return null;
    throw error;
  }
}

const QUERY_CANCELED = '57014';

/**
 * Folds changes of all platforms into the counts, so that few changes remain to be summed. Returns their number, at most `countMax`. Skips
 * changes that another process is folding. Rows are found by their physical place (ctid): the table is empty most of the time, and a join
 * planned for an empty table took 1.5 s for 2,000 changes.
 */
export async function foldListCounts(db: Db, countMax: number): Promise<number> {
  const changed = sql<{ platform_id: number }>`
    select distinct platform_id from list_count_changes order by platform_id limit ${countMax}`;
  const rows = await onAllPlatforms(db, changed, async ({ isWithin, platformId }) => {
    const folding = await sql<{ folded: number }>`
      with taken as (
        delete from list_count_changes where ${isWithin()} and ctid = any(array(
          select ctid from list_count_changes where ${isWithin()}
          order by platform_id, change_id limit ${countMax} for update skip locked
        ))
        returning platform_id, list, filters, filter_values, rows_changes
      ), folded as (
        insert into list_counts as l (platform_id, list, filter, value, rows_count)
        select ${platformId}, c.list, d.filter, d.value, sum(d.rows_change) from taken c ${EACH_CHANGE}
        group by platform_id, c.list, d.filter, d.value
        order by platform_id, c.list, d.filter, d.value
        on conflict (platform_id, list, filter, value) do update set rows_count = l.rows_count + excluded.rows_count
      )
      select count(*)::int as folded from taken`.execute(db);
    return folding.rows;
  });
  return rows.reduce((sum, { folded }) => sum + folded, 0);
}

/** A list whose totals are maintained. Each entry of `by` is a set of columns by which rows are counted; an empty one counts all rows. */
export interface ListTotals {
  list: keyof DB & string;
  by: readonly (readonly string[])[];
}

export interface Miscount {
  list: string;
  filter: string;
  value: string;
  counted: number;
  maintained: number;
}

/** The maintained totals of a platform that differ from the number of its rows. Each filter is compared as of one instant. */
export async function findMiscounts(
  db: Db,
  platformId: number,
  totals: readonly ListTotals[],
): Promise<Miscount[]> {
  return ofEachFilter(db, platformId, totals, (wrong) => wrong);
}

/**
 * Corrects wrong totals of a platform, also while rows are written: one statement finds and corrects the miscounts of a filter. Returns the
 * miscounts. Calls for one platform take turns, because two that saw the same miscount would correct it twice.
 */
export async function correctMiscounts(
  db: Db,
  platformId: number,
  totals: readonly ListTotals[],
): Promise<Miscount[]> {
  return withoutTimeLimit(db, async (transaction) => {
    const turn = `tradeline/list-totals/${platformId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`.execute(transaction);
    return ofEachFilter(
      transaction,
      platformId,
      totals,
      (wrong) => sql<Miscount>`
        with wrong as (${wrong}), corrected as (
          insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
          select ${platformId}::int, list, array_agg(filter), array_agg(value), array_agg(counted - maintained) from wrong
          group by list
        )
        select * from wrong`,
    );
  });
}

/** The rows that `statementOf` returns for the miscounts of each filter. */
async function ofEachFilter(
  db: Db,
  platformId: number,
  totals: readonly ListTotals[],
  statementOf: (miscounts: RawBuilder<Miscount>) => RawBuilder<Miscount>,
): Promise<Miscount[]> {
  return withoutTimeLimit(db, async (transaction) => {
    const found: Miscount[] = [];
    for (const { list, by } of totals)
      for (const columns of by) {
        const { rows } = await statementOf(miscounts(platformId, list, columns)).execute(transaction);
        found.push(...rows);
      }
    return found;
  });
}

/** Counting all rows may take long. */
function withoutTimeLimit<Result>(db: Db, work: (transaction: Db) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return work(db);
  return inTransaction(db, async (transaction) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(transaction);
    return work(transaction);
  });
}

function miscounts(platformId: number, list: string, columns: readonly string[]): RawBuilder<Miscount> {
  const filter = columns.join(',');
  const named = sql.join(columns.map((column) => sql.ref(column)));
  const value = columns.length === 0 ? sql`''` : sql`concat_ws(' ', ${named})`;
  return sql<Miscount>`
    select ${list}::text as list, ${filter}::text as filter, value, coalesce(counted, 0)::bigint as counted,
      coalesce(maintained, 0)::bigint as maintained
    from (
      select ${value}::text as value, count(*) as counted
      from ${sql.table(list)} where platform_id = ${platformId} group by 1
    ) c
    full join (
      select value, sum(change) as maintained from (
        select value, rows_count as change from list_counts
        where platform_id = ${platformId} and list = ${list} and filter = ${filter}
        union all
        select d.value, d.rows_change from list_count_changes c ${EACH_CHANGE}
        where c.platform_id = ${platformId} and c.list = ${list} and d.filter = ${filter}
      ) changes group by value
    ) m using (value)
    where coalesce(counted, 0) <> coalesce(maintained, 0)
    order by value`;
}
