/**
 * Lists of a table. The keys of a page come from an index, whatever the list is narrowed and sorted by; what else is shown is
 * read for them alone. So a page costs what it shows, not what is stored.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DB } from '#infra/database/schema';
import { within } from './list.queries.ts';
import { type CursorPage, LIST_SORT } from './list.ts';
import { type CountedList, countInTime, findListTotal } from './list-counts.queries.ts';
import { cursorOf, type ListKey, type ListPosition, readCursor } from './list-cursor.ts';
import type { Context } from './operation.ts';

export type ListContext = Pick<Context, 'db' | 'platformId' | 'vault'>;

/** How a table is listed. Columns and conditions are of its rows, which are named `t`. */
export interface ListTable<Filter extends object> {
  table: keyof DB & string;
  /** The column that names a row in its platform, or in the resource whose rows these are: ties are in its order. */
  key: string;
  /** The filter that names the resource whose rows these are. A cursor is of the list of this one. */
  of?: keyof Filter & string;
  /** The order of a request that names none; the newest first by default. */
  sort?: string;
  /** Filters by some values of the column of their name, each with an index that begins with it. */
  values: readonly (keyof Filter & string)[];
  /** The columns of filters that are not named after them. */
  columns?: { [F in keyof Filter]?: string };
  /** Filters by a range of whole numbers in the column of their name. */
  ranges: readonly (keyof Filter & string)[];
  /** Other filters. */
  conditions?: {
    [F in keyof Filter]?: (value: NonNullable<Filter[F]>, platformId: number) => RawBuilder<unknown>;
  };
  /** Columns that sort and can be null. */
  nullable?: readonly string[];
  /**
   * The column that stands in indexes before the one that sorts, with all its values: a list that is not narrowed by it
   * reads each value, in order. So one index serves a sort with and without it. `after` are the filters of which the index
   * has it next.
   */
  spread?: { column: string; values: readonly string[]; after: readonly (keyof Filter & string)[] };
  /** The totals that are maintained: each the filters by which rows are counted together. */
  counted?: readonly (readonly (keyof Filter & string)[])[];
}

export interface ListedKeys<Key extends ListKey> {
  /** In order. */
  keys: Key[];
  /** What an answer has beside its items. */
  listed: {
    /** Exact; null where it is not asked for, and where counting takes too long. */
    total: number | null;
    limit: number;
    offset: number;
    /** The cursor behind the page; null at the end of the list. */
    next: string | null;
  };
}

/** More parts of a list than these are read as one, without an order from an index. */
const PARTS_MAX = 100;

/** Throws INVALID_REQUEST for a cursor that is not of this list and order. */
export async function listKeys<Filter extends object, Key extends ListKey = string>(
  { db, platformId, vault }: ListContext,
  table: ListTable<Filter>,
  filter: Filter,
  page: CursorPage,
): Promise<ListedKeys<Key>> {
  const sort = sortOf(table, page);
  const list = table.of === undefined ? table.table : `${table.table}/${filter[table.of]}`;
  const after = page.after === null ? null : readCursor(vault, list, page.after, sort);
  const narrowed = narrow(table, filter, platformId);
  const [found, total] = await Promise.all([
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

/** A page of a list that shows what its table has. Throws like `listKeys`. */
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
  const { conditions, values } = narrow(table, filter, context.platformId);
  const matching = [...conditions, ...equalTo(values), sql`${key} = any(${keys})`];
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.table)} t where ${sql.join(matching, sql` and `)}
    order by t.${sql.ref(column)} ${direction}, ${key}`.execute(context.db);
  return { rows, listed };
}

const sortOf = ({ sort = LIST_SORT }: Pick<ListTable<object>, 'sort'>, page: CursorPage) => page.sort ?? sort;

function orderOf(sort: string): { column: string; direction: RawBuilder<unknown> } {
  return { column: sort.replace('-', ''), direction: sort.startsWith('-') ? sql`desc` : sql`asc` };
}

/** In the order of the keys. */
export function inOrderOf<Row>(
  keys: readonly ListKey[],
  rows: readonly Row[],
  keyOf: (row: Row) => ListKey,
): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** What a filter asks for. */
interface Narrowed {
  /** Of each column, the values of which a row has one; without repetitions. */
  values: Map<string, readonly string[]>;
  conditions: RawBuilder<unknown>[];
}

function narrow<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
  platformId: number,
): Narrowed {
  const values = new Map<string, readonly string[]>();
  const conditions: RawBuilder<unknown>[] = [sql`t.platform_id = ${platformId}`];
  const requested = requestedOf(table, filter);
  for (const name of requested) {
    const value = filter[name] as NonNullable<Filter[typeof name]>;
    const condition = table.conditions?.[name];
    if (table.values.includes(name)) values.set(columnOf(table, name), [...new Set(value as string[])]);
    else if (condition) conditions.push(condition(value, platformId));
    else conditions.push(within(sql.ref(`t.${name}`), value as string));
  }
  const { spread, ranges } = table;
  const isSpread = spread && requested.every((name) => ranges.includes(name) || spread.after.includes(name));
  if (isSpread) values.set(spread.column, spread.values);
  return { values, conditions };
}

const columnOf = <Filter extends object>(
  { columns }: ListTable<Filter>,
  name: keyof Filter & string,
): string => columns?.[name] ?? name;

/** The filters of a request, which has other parameters too. */
function requestedOf<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
): (keyof Filter & string)[] {
  const { values, conditions = {}, ranges } = table;
  const names = [...values, ...Object.keys(conditions), ...ranges] as (keyof Filter & string)[];
  return names.filter((name) => filter[name] !== undefined);
}

type FoundKey = Pick<ListPosition, 'key' | 'value'>;

/** One more than the page has, if there is one. */
async function findKeys<Filter extends object>(
  db: Db,
  table: ListTable<Filter>,
  { values, conditions }: Narrowed,
  { sort, after, page }: { sort: string; after: ListPosition | null; page: CursorPage },
): Promise<FoundKey[]> {
  const { column, direction } = orderOf(sort);
  const isNullable = table.nullable?.includes(column) ?? false;
  const behind = after === null ? [] : [isBehind(table.key, after, isNullable)];
  const order = sql`order by value ${direction}, key`;
  // Each part is ordered and limited by itself: only then does the planner merge indexes instead of sorting everything.
  const countMax = sql.lit(page.offset + page.limit + 1);
  // The index of the key has no status before it.
  const isByKey = column === table.key;
  const parts = partsOf(values, isByKey ? [...values.keys()] : [table.key]).map(
    (equal) => sql`(
      select t.${sql.ref(table.key)} as key, t.${sql.ref(column)} as value from ${sql.table(table.table)} t
      where ${sql.join([...conditions, ...equal, ...behind], sql` and `)} ${order} limit ${countMax}
    )`,
  );
  if (parts.length === 0) return [];
  const { rows } = await sql<FoundKey>`
    select key, value from (${sql.join(parts, sql` union all `)}) listed
    ${order} limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}`.execute(db);
  return rows;
}

/**
 * Conditions of the parts of which a list is the union: in each, every column has one value, so that an index has its rows in
 * order. Of too many, the columns with most values stay one condition, as `together` do.
 */
function partsOf(
  values: ReadonlyMap<string, readonly string[]>,
  together: readonly string[],
): RawBuilder<unknown>[][] {
  const columns = [...values].toSorted(([, one], [, other]) => one.length - other.length);
  let parts: RawBuilder<unknown>[][] = [[]];
  for (const [name, some] of columns) {
    const column = sql.ref(`t.${name}`);
    const isOne = together.includes(name) || parts.length * some.length > PARTS_MAX;
    const conditions = isOne
      ? [sql`${column} = any(${some}::text[])`]
      : some.map((value) => sql`${column} = ${value}`);
    parts = parts.flatMap((part) => conditions.map((condition) => [...part, condition]));
  }
  return parts;
}

/** Behind the last item of a page. Null is above all values. */
function isBehind(
  keyColumn: string,
  { sort, value, key }: ListPosition,
  isNullable: boolean,
): RawBuilder<unknown> {
  const column = sql.ref(`t.${sort.replace('-', '')}`);
  const isTieBehind = sql`t.${sql.ref(keyColumn)} > ${key}`;
  const isDown = sort.startsWith('-');
  if (value === null) {
    const isNullBehind = sql`(${column} is null and ${isTieBehind})`;
    return isDown ? sql`(${isNullBehind} or ${column} is not null)` : isNullBehind;
  }
  // The first comparison is what the index finds.
  const isBehindValue = isDown
    ? sql`(${column} <= ${value} and (${column} < ${value} or ${isTieBehind}))`
    : sql`(${column} >= ${value} and (${column} > ${value} or ${isTieBehind}))`;
  return isNullable && !isDown ? sql`(${isBehindValue} or ${column} is null)` : isBehindValue;
}

async function findTotal<Filter extends object>(
  db: Db,
  platformId: number,
  table: ListTable<Filter>,
  filter: Filter,
  { values, conditions }: Narrowed,
): Promise<number | null> {
  const counted = countedBy(table, filter, values);
  if (counted) return findListTotal(db, platformId, { list: table.table, filter: counted });
  return countInTime(
    db,
    sql<{ total: number }>`
      select count(*) as total from ${sql.table(table.table)} t
      where ${sql.join([...conditions, ...equalTo(values)], sql` and `)}`,
  );
}

function equalTo(values: ReadonlyMap<string, readonly string[]>): RawBuilder<unknown>[] {
  return [...values].map(([column, some]) => {
    const [only = '', ...others] = some;
    return others.length === 0
      ? sql`${sql.ref(`t.${column}`)} = ${only}`
      : sql`${sql.ref(`t.${column}`)} = any(${some}::text[])`;
  });
}

/** The maintained counts that make up a total; undefined where there are none. */
function countedBy<Filter extends object>(
  table: ListTable<Filter>,
  filter: Filter,
  values: ReadonlyMap<string, readonly string[]>,
): CountedList['filter'] | undefined {
  const requested = requestedOf(table, filter);
  const names = table.counted?.find((each) => requested.every((name) => each.includes(name)));
  if (names === undefined) return undefined;
  const columns = names.map((name) => columnOf(table, name));
  const some = columns.map((column) => values.get(column));
  if (some.some((each) => each === undefined)) return undefined;
  const combined = (some as (readonly string[])[]).reduce<string[]>(
    (before, each) =>
      before.flatMap((value) => each.map((next) => (value === '' ? next : `${value} ${next}`))),
    [''],
  );
  return { name: columns.join(','), values: combined };
}
