/** The keys of a page, found through an index: only the rows that the page shows are read, not those before it or those filtered out. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { Page } from './list.ts';
import {
  besideValues,
  combinationsOf,
  conditionsOf,
  isBehind,
  type KeyedTable,
  type Narrowed,
  orderOf,
  PARTS_MAX,
  partsOf,
} from './list-conditions.queries.ts';
import type { ListPosition } from './list-cursor.ts';

export interface KeysOfPage {
  /** As in `sort_by`. */
  sort: string;
  after: ListPosition | null;
  page: Page;
}

export type FoundKey = Pick<ListPosition, 'key' | 'value'>;

interface Sought {
  table: KeyedTable;
  narrowed: Narrowed;
  sort: string;
  page: Page;
  /** The cursor, as a condition. */
  behind: RawBuilder<unknown>[];
}

/** The number of rows that are tested one by one. It takes some milliseconds if the page does not fill earlier. */
const SEARCHED_MAX = 5_000;

/** The numbers of rows to try: rows of a range to sort, or rows to test in the order of the page. The next number follows after both. */
const TRIED_ROWS = [500, 5_000, 50_000, 500_000];

/** The keys of a page, and one more if the list continues. */
export async function findKeys(
  db: Db,
  table: KeyedTable,
  narrowed: Narrowed,
  ofPage: KeysOfPage,
): Promise<FoundKey[]> {
  const sought = soughtOf(table, narrowed, ofPage);
  const { column } = orderOf(sought.sort);
  if (narrowed.search) {
    const unsearched = { ...sought, narrowed: { ...narrowed, search: undefined } };
    const first = await findAmongFirst(db, unsearched, [narrowed.search.isInRow], SEARCHED_MAX);
    return first.length > sought.page.limit ? first : findSorted(db, sought);
  }
  const others = [...narrowed.ranges.keys()].filter((name) => name !== column);
  return (others.length > 0 ? await findInRanges(db, sought, others) : undefined) ?? findInOrder(db, sought);
}

function soughtOf(table: KeyedTable, narrowed: Narrowed, { sort, after, page }: KeysOfPage): Sought {
  const isNullable = table.nullable?.includes(orderOf(sort).column) ?? false;
  const behind = after === null ? [] : [isBehind(table.key, after, isNullable)];
  return { table, narrowed, sort, page, behind };
}

/**
 * Finds the keys among all rows, through the index of a range or of a text. PostgreSQL plans a subquery with an offset separately, for all
 * of its rows.
 */
function findSorted(db: Db, sought: Sought): Promise<FoundKey[]> {
  const matching = [...conditionsOf(sought.narrowed), ...sought.behind];
  return findPage(db, sought, [sql`${selected(sought)} where ${sql.join(matching, sql` and `)} offset 0`]);
}

/**
 * The keys of a page and the total, if few rows contain the text: one reading of its index serves both. Undefined if many rows do. A
 * materialized CTE is planned for all of its rows, and read only up to the limit.
 */
export async function findFew(
  db: Db,
  table: KeyedTable,
  narrowed: Narrowed,
  ofPage: KeysOfPage,
): Promise<{ keys: FoundKey[]; total: number } | undefined> {
  const { sort, page, behind } = soughtOf(table, narrowed, ofPage);
  const { column, direction } = orderOf(sort);
  const [key, value] = [sql.ref(`t.${table.key}`), sql.ref(`t.${column}`)];
  const columns = column === table.key ? key : sql`${key}, ${value}`;
  const { rows } = await sql<FoundKey & { total: number; nth: number | null }>`
    with matching as materialized (
      select ${columns} from ${sql.table(table.table)} t where ${sql.join(conditionsOf(narrowed), sql` and `)}
    ), few as materialized (select * from matching limit ${sql.lit(SEARCHED_MAX + 1)})
    select total, nth, key, value from (select count(*)::int as total from few) counted
    left join (
      select ${key} as key, ${value} as value, row_number() over (order by ${value} ${direction}, ${key}) as nth
      from few t where ${sql.join([sql`true`, ...behind], sql` and `)}
      order by nth limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}
    ) listed on true
    order by nth ${sql.raw(UNPREPARED)}`.execute(db);
  const total = rows[0]?.total ?? 0;
  if (total > SEARCHED_MAX) return undefined;
  return { total, keys: rows.flatMap(({ nth, key, value }) => (nth === null ? [] : [{ key, value }])) };
}

/**
 * Finds the keys among the first rows of each part. Each part is ordered and limited separately; otherwise the planner sorts all rows
 * instead of merging indexes.
 */
function findInOrder(db: Db, sought: Sought): Promise<FoundKey[]> {
  const { narrowed, page } = sought;
  if (narrowed.isInOrder) {
    const combinations = combinationsOf(narrowed.values);
    if (combinations.length > PARTS_MAX) return findInManyParts(db, sought, combinations);
  }
  const parts = partsInOrder(sought, selected(sought), page.offset + page.limit + 1);
  return findPage(db, sought, parts);
}

const selected = ({ table, sort }: Sought) => sql`
  select t.${sql.ref(table.key)} as key, t.${sql.ref(orderOf(sort).column)} as value from ${sql.table(table.table)} t`;

/** The first rows of each part of the list. */
function partsInOrder(
  { table, narrowed, sort, behind }: Sought,
  select: RawBuilder<unknown>,
  rowsMax: number,
): RawBuilder<unknown>[] {
  const { column, direction } = orderOf(sort);
  const { key } = table;
  // The index of the key does not begin with the spread column.
  const together = column === key ? [...narrowed.values.keys()] : [key];
  return partsOf(narrowed.values, together).map((equal) => {
    const matching = sql.join([...besideValues(narrowed), ...equal, ...behind], sql` and `);
    return sql`${select} where ${matching}
      order by t.${sql.ref(column)} ${direction}, t.${sql.ref(key)} limit ${sql.lit(rowsMax)}`;
  });
}

async function findPage(
  db: Db,
  { narrowed, sort, page }: Sought,
  parts: RawBuilder<unknown>[],
): Promise<FoundKey[]> {
  if (parts.length === 0) return [];
  // The plan is kept only if it is the same for all values. Otherwise rare values would be searched with the plan of frequent ones, which
  // reads all rows of the platform.
  const ending = sql.raw(narrowed.isInOrder ? '' : UNPREPARED);
  const { rows } = await sql<FoundKey>`
    select key, value from (${unionOf(parts)}) listed
    order by value ${orderOf(sort).direction}, key limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}
    ${ending}`.execute(db);
  return rows;
}

const unionOf = (parts: readonly RawBuilder<unknown>[]) =>
  sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  );

/**
 * Finds the keys among any number of parts in one statement. Only the parts with the first rows can be on the page, at most one part per
 * row of the page. Reads one row of each part, then a page of rows from each of those parts.
 */
async function findInManyParts(
  db: Db,
  sought: Sought,
  combinations: readonly (readonly string[])[],
): Promise<FoundKey[]> {
  const { narrowed, sort, page, behind } = sought;
  const columns = [...narrowed.values.keys()];
  const names = columns.map((_, nth) => sql.ref(`value_${nth}`));
  const lists = columns.map((_, nth) => sql`${combinations.map((values) => values[nth])}::text[]`);
  const equal = columns.map((column, nth) => sql`t.${sql.ref(column)} = part.${names[nth]}`);
  const matching = sql.join([...besideValues(narrowed), ...equal, ...behind], sql` and `);
  const order = sql`order by value ${orderOf(sort).direction}, key`;
  const countMax = sql.lit(page.offset + page.limit + 1);
  const { rows } = await sql<FoundKey>`
    with parts as (
      select part.* from unnest(${sql.join(lists)}) part(${sql.join(names)})
      cross join lateral (${selected(sought)} where ${matching} ${order} limit 1) first
      order by first.value ${orderOf(sort).direction}, first.key limit ${countMax}
    )
    select listed.key, listed.value from parts part
    cross join lateral (${selected(sought)} where ${matching} ${order} limit ${countMax}) listed
    ${order} limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}`.execute(db);
  return rows;
}

/**
 * Tests each of the first rows in the order for the keys of a page. A text in most rows fills the page; one in few rows is left to its
 * index. The planner does not know how many rows contain a text: it read 12,000 rows to find eleven.
 */
async function findAmongFirst(
  db: Db,
  sought: Sought,
  tests: readonly RawBuilder<unknown>[],
  rowsMax: number,
): Promise<FoundKey[]> {
  const { table, sort, page } = sought;
  const first = firstRows(sought, rowsMax);
  if (first === undefined) return [];
  const { column, direction } = orderOf(sort);
  const [key, value] = [sql.ref(`t.${table.key}`), sql.ref(`t.${column}`)];
  const { rows } = await sql<FoundKey>`
    select ${key} as key, ${value} as value from (${first}) t
    where ${sql.join(tests, sql` and `)}
    order by ${value} ${direction}, ${key} limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}
    ${sql.raw(UNPREPARED)}`.execute(db);
  return rows;
}

/** The first rows in the order, with all columns. Undefined if no row can be in the list. */
function firstRows(sought: Sought, rowsMax: number): RawBuilder<unknown> | undefined {
  const { table, sort } = sought;
  const { column, direction } = orderOf(sort);
  const parts = partsInOrder(sought, sql`select t.* from ${sql.table(table.table)} t`, rowsMax);
  if (parts.length <= 1) return parts[0];
  return sql`
    select t.* from (${unionOf(parts)}) t
    order by t.${sql.ref(column)} ${direction}, t.${sql.ref(table.key)} limit ${sql.lit(rowsMax)}`;
}

/** Counts the first rows, up to `rowsMax`. */
async function countFirst(db: Db, sought: Sought, rowsMax: number): Promise<number> {
  const first = firstRows(sought, rowsMax);
  if (first === undefined) return 0;
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (${first}) first ${sql.raw(UNPREPARED)}`.execute(db);
  return rows[0]?.found ?? 0;
}

/**
 * The page of a list with ranges on `columns`, in the order of another column. The planner cannot know which plan is cheap: it reads rows
 * in the order of the page and drops those outside the range, as if the range were spread evenly over the pages. But the newest orders that
 * changed in the last minute may be on the first page or after a million others. So the function tries both, with growing numbers of rows:
 * it sorts a range if it has at most that many rows, and otherwise tests the first rows of the order. That reads at most fifteen times as
 * many rows as the cheaper plan. Undefined if no row is left to test, or if neither plan is cheap.
 */
async function findInRanges(
  db: Db,
  sought: Sought,
  columns: readonly string[],
): Promise<FoundKey[] | undefined> {
  const { narrowed, page } = sought;
  const isTested = (name: string) => columns.includes(name);
  const tests = [...narrowed.ranges].flatMap(([name, range]) => (isTested(name) ? [range] : []));
  const ranges = new Map([...narrowed.ranges].filter(([name]) => !isTested(name)));
  const untested = { ...sought, narrowed: { ...narrowed, ranges } };
  // Without further filters, the order has more rows than the range.
  const mayEnd = isNarrowedBeside(untested);
  for (const rowsMax of TRIED_ROWS) {
    if (await hasFewInRange(db, sought, columns, rowsMax)) return findSorted(db, sought);
    if (rowsMax <= page.offset + page.limit) continue;
    const found = await findAmongFirst(db, untested, tests, rowsMax);
    if (found.length > page.limit) return found;
    if (mayEnd && (await countFirst(db, untested, rowsMax)) < rowsMax) return undefined;
  }
  return undefined;
}

/** Whether rows are filtered by anything other than the spread column. */
function isNarrowedBeside({ table, narrowed, behind }: Sought): boolean {
  const { values, conditions, ranges } = narrowed;
  const hasValues = [...values.keys()].some((column) => column !== table.spread?.column);
  return hasValues || conditions.length > 0 || ranges.size > 0 || behind.length > 0;
}

/** Whether one of the ranges has at most `rowsMax` rows. */
async function hasFewInRange(
  db: Db,
  { table, narrowed }: Sought,
  columns: readonly string[],
  rowsMax: number,
): Promise<boolean> {
  for (const column of columns)
    if ((await countInRange(db, table, narrowed, { column, countMax: rowsMax + 1 })) <= rowsMax) return true;
  return false;
}

/** Counts the rows in a range, up to `countMax`, from the index of the range alone. */
async function countInRange(
  db: Db,
  { table, spread }: KeyedTable,
  { values, ranges, ofPlatform }: Narrowed,
  { column, countMax }: { column: string; countMax: number },
): Promise<number> {
  const before = spread ? new Map([[spread.column, values.get(spread.column) ?? spread.values]]) : new Map();
  const limit = sql`limit ${sql.lit(countMax)}`;
  const parts = partsOf(before, []).map(
    (equal) => sql`
      select from ${sql.table(table)} t where ${sql.join([ofPlatform, ranges.get(column), ...equal], sql` and `)}
      order by t.${sql.ref(column)} ${limit}`,
  );
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (select from (${unionOf(parts)}) parts ${limit}) found`.execute(db);
  return rows[0]?.found ?? 0;
}
