/**
 * Lists of a table. The keys of a page come from an index, regardless of filters and sort; other columns are read for those keys only. So
 * the cost of a page depends on what it shows, not on what is stored.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { within } from './list.queries.ts';
import { type CursorPage, LIST_SORT } from './list.ts';
import {
  conditionsOf,
  type KeyedTable,
  type Narrowed,
  orderOf,
  type TextSearch,
} from './list-conditions.queries.ts';
import { type CountedList, countInTime, findListTotal } from './list-counts.queries.ts';
import { cursorOf, type ListKey, readCursor } from './list-cursor.ts';
import { findFew, findKeys } from './list-keys.queries.ts';
import type { Context } from './operation.ts';

export type ListContext = Pick<Context, 'db' | 'platformId' | 'vault'>;

/** How a table is listed. Columns and conditions refer to its rows, which are named `t`. */
export interface ListTable<Filter extends object> extends KeyedTable {
  /** The filter that names the resource that the rows belong to. A cursor is valid for the list of that resource only. */
  of?: keyof Filter & string;
  /** The order of a request without `sort_by`; newest first by default. */
  sort?: string;
  /** Filters by values of the column of the same name. Each has an index that begins with it. */
  values: readonly (keyof Filter & string)[];
  /** The columns of filters that have another name than their column. */
  columns?: { [F in keyof Filter]?: string };
  /** Filters by a range in the column of the same name, of integers unless a condition says otherwise. Each has an index. */
  ranges: readonly (keyof Filter & string)[];
  /** Other filters. */
  conditions?: {
    [F in keyof Filter]?: (value: NonNullable<Filter[F]>, platformId: number) => RawBuilder<unknown>;
  };
  /** Filters by a text. A request has at most one. */
  searches?: { [F in keyof Filter]?: (text: NonNullable<Filter[F]>, platformId: number) => TextSearch };
  /**
   * The column that precedes the sort column in indexes, with all its values. A list without a filter on it reads each value in order, so
   * one index serves the sort with and without that filter. `after` lists the filters whose column precedes it in an index.
   */
  spread?: NonNullable<KeyedTable['spread']> & { after: readonly (keyof Filter & string)[] };
  /** The maintained totals: each entry is a set of filters by which rows are counted; an empty one counts all rows. */
  counted?: readonly (readonly (keyof Filter & string)[])[];
}

export interface ListedKeys<Key extends ListKey> {
  /** In order. */
  keys: Key[];
  /** The fields of an answer other than its items. */
  listed: {
    /** Exact. Null if it is not requested, or if counting takes too long. */
    total: number | null;
    limit: number;
    offset: number;
    /** The cursor after the page; null at the end of the list. */
    next: string | null;
  };
}

/** The keys of a page. Throws INVALID_REQUEST for a cursor of another list or order. */
export async function listKeys<Filter extends object, Key extends ListKey = string>(
  { db, platformId, vault }: ListContext,
  table: ListTable<Filter>,
  filter: Filter,
  page: CursorPage,
): Promise<ListedKeys<Key>> {
  const sort = sortOf(table, page);
  const list = table.of === undefined ? table.table : `${table.table}/${filter[table.of]}`;
  const after = page.after === null ? null : readCursor(vault, list, page.after, sort);
  const narrowed = narrow(table, filter, platformId, sort);
  const few =
    narrowed.search && page.hasTotal ? await findFew(db, table, narrowed, { sort, after, page }) : undefined;
  const [found, total] = few
    ? [few.keys, few.total]
    : await Promise.all([
        findKeys(db, table, narrowed, { sort, after, page }),
        page.hasTotal ? findTotal(db, platformId, table, filter, narrowed) : null,
      ]);
  const shown = found.slice(0, page.limit);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const next = last ? cursorOf(vault, list, { sort, ...last }) : null;
  return {
    keys: shown.map(({ key }) => key as Key),
    listed: { total, limit: page.limit, offset: page.offset, next },
  };
}

/** A page of a list that shows rows of its table unchanged. Throws like `listKeys`. */
export async function listRows<Filter extends object, Row extends object>(
  context: ListContext,
  table: ListTable<Filter>,
  filter: Filter,
  page: CursorPage,
  columns: RawBuilder<unknown> = sql`t.*`,
): Promise<{ rows: Row[]; listed: ListedKeys<ListKey>['listed'] }> {
  const { keys, listed } = await listKeys<Filter, ListKey>(context, table, filter, page);
  if (keys.length === 0) return { rows: [], listed };
  const key = sql.ref(`t.${table.key}`);
  const { column, direction } = orderOf(sortOf(table, page));
  const named = table.of === undefined ? {} : { [table.of]: filter[table.of] };
  const byKey = [
    ...conditionsOf(narrowToFilter(table, named as Filter, context.platformId)),
    sql`${key} = any(${keys})`,
  ];
  // Leaves out a row that no longer matches since its key was found. Without `offset 0` the filters could mislead the planner away from the
  // index of the key.
  const matching = conditionsOf(narrowToFilter(table, filter, context.platformId));
  const { rows } = await sql<Row>`
    select ${columns} from (
      select * from ${sql.table(table.table)} t where ${sql.join(byKey, sql` and `)} offset 0
    ) t where ${sql.join(matching, sql` and `)}
    order by t.${sql.ref(column)} ${direction}, ${key}`.execute(context.db);
  return { rows, listed };
}

const sortOf = ({ sort = LIST_SORT }: Pick<ListTable<object>, 'sort'>, page: CursorPage) => page.sort ?? sort;

/** The rows in the order of the keys. */
export function inOrderOf<Row>(
  keys: readonly ListKey[],
  rows: readonly Row[],
  keyOf: (row: Row) => ListKey,
): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

function narrow<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
  platformId: number,
  sort: string,
): Narrowed {
  const requested = requestedOf(table, filter);
  const { values, ...others } = narrowToFilter(table, filter, platformId);
  const { spread, ranges } = table;
  const isSpread = spread && requested.every((name) => [...ranges, ...spread.after].includes(name));
  return {
    ...others,
    values: isSpread ? new Map([...values, [spread.column, spread.values]]) : values,
    isInOrder: isInOrderOf(table, requested, sort),
  };
}

function narrowToFilter<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
  platformId: number,
): Omit<Narrowed, 'isInOrder'> {
  const values: Narrowed['values'] = new Map();
  const ranges: Narrowed['ranges'] = new Map();
  const conditions: RawBuilder<unknown>[] = [];
  let search: TextSearch | undefined;
  for (const name of requestedOf(table, filter)) {
    const value = filter[name] as NonNullable<Filter[typeof name]>;
    const isRange = table.ranges.includes(name);
    const searching = table.searches?.[name];
    if (searching) search = searching(value, platformId);
    else if (table.values.includes(name)) values.set(columnOf(table, name), [...new Set(value as string[])]);
    else {
      const condition =
        table.conditions?.[name]?.(value, platformId) ?? within(sql.ref(`t.${name}`), value as string);
      if (isRange) ranges.set(name, condition);
      else conditions.push(condition);
    }
  }
  return { ofPlatform: sql`t.platform_id = ${platformId}`, values, ranges, conditions, search };
}

/** Whether the index of the sort column has the columns of the request's filters before or after it. */
function isInOrderOf<Filter extends object>(
  { key, values, sort: usual = LIST_SORT, spread }: ListTable<Filter>,
  requested: readonly (keyof Filter & string)[],
  sort: string,
): boolean {
  const { column } = orderOf(sort);
  if (requested.length === 0) return true;
  // The index of the key does not begin with the spread column.
  if (spread && column === key) return false;
  const [other, ...others] = requested.filter((name) => name !== column && name !== spread?.column);
  if (other === undefined) return true;
  const hasIndex = values.includes(other) && (!spread || spread.after.includes(other));
  return others.length === 0 && hasIndex && column === orderOf(usual).column;
}

const columnOf = <Filter extends object>(
  { columns }: ListTable<Filter>,
  name: keyof Filter & string,
): string => columns?.[name] ?? name;

/** The filters of a request, without its other parameters. */
function requestedOf<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
): (keyof Filter & string)[] {
  const { values, conditions = {}, searches = {}, ranges } = table;
  const others = [...Object.keys(conditions), ...Object.keys(searches)];
  const names = new Set([...values, ...others, ...ranges]);
  return ([...names] as (keyof Filter & string)[]).filter((name) => filter[name] !== undefined);
}

async function findTotal<Filter extends object>(
  db: Db,
  platformId: number,
  table: ListTable<Filter>,
  filter: Filter,
  narrowed: Narrowed,
): Promise<number | null> {
  const counted = countedBy(table, filter, narrowed.values);
  if (counted) return findListTotal(db, platformId, { list: table.table, filter: counted });
  return countInTime(
    db,
    sql<{ total: number }>`
      select count(*) as total from ${sql.table(table.table)} t
      where ${sql.join(conditionsOf(narrowed), sql` and `)}
      ${sql.raw(UNPREPARED)}`,
  );
}

/** The maintained counts that make up a total; undefined if none do. */
function countedBy<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
  values: ReadonlyMap<string, readonly string[]>,
): CountedList['filter'] | undefined {
  const requested = requestedOf(table, filter);
  const counted = table.counted?.map((names) => names.map((name) => columnOf(table, name)));
  const columns = counted?.find(
    (each) =>
      requested.every((name) => each.includes(columnOf(table, name))) &&
      each.every((name) => values.has(name)),
  );
  if (columns === undefined) return undefined;
  const some = columns.map((column) => values.get(column) ?? []);
  const combined = some.reduce<string[]>(
    (before, each) =>
      before.flatMap((value) => each.map((next) => (value === '' ? next : `${value} ${next}`))),
    [''],
  );
  return { name: columns.join(','), values: combined };
}
