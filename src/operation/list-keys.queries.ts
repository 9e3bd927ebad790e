/** The keys of a page, from an index: the rows that a page shows are read, and not those before and beside them. */
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

/** So many rows are searched one by one: some milliseconds, where a page is not filled before. */
const SEARCHED_MAX = 5_000;

/** So many rows of a range are sorted, or looked through in the order of the page. The next number is tried after both. */
const TRIED_ROWS = [500, 5_000, 50_000, 500_000];

/** One more than the page has, if there is one. */
export async function findKeys(
  db: Db,
  table: KeyedTable,
  narrowed: Narrowed,
  { sort, after, page }: KeysOfPage,
): Promise<FoundKey[]> {
  const { column } = orderOf(sort);
  const isNullable = table.nullable?.includes(column) ?? false;
  const behind = after === null ? [] : [isBehind(table.key, after, isNullable)];
  const sought: Sought = { table, narrowed, sort, page, behind };
  if (narrowed.search) {
    const unsearched = { ...sought, narrowed: { ...narrowed, search: undefined } };
    const first = await findAmongFirst(db, unsearched, [narrowed.search.isInRow], SEARCHED_MAX);
    return first.length > page.limit ? first : findSorted(db, sought);
  }
  const others = [...narrowed.ranges.keys()].filter((name) => name !== column);
  return (others.length > 0 ? await findInRanges(db, sought, others) : undefined) ?? findInOrder(db, sought);
}

/** Among all rows, by the index of a range or of a text. A subquery with an offset is planned for itself: for all of its rows. */
function findSorted(db: Db, sought: Sought): Promise<FoundKey[]> {
  const matching = [...conditionsOf(sought.narrowed), ...sought.behind];
  return findPage(db, sought, [sql`${selected(sought)} where ${sql.join(matching, sql` and `)} offset 0`]);
}

/** Among the first rows of each part. Ordered and limited by itself: only then does the planner merge indexes instead of sorting all. */
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
  // The index of the key has no status before it.
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
  // A plan is kept where it is the same for all values. Else values that few rows have would be looked for by the plan of those
  // that most have, which reads all rows of the platform.
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
 * The same in one statement for however many parts: no more of them than the page has rows can be in it, those with the first rows.
 * Reads one row of each part, and of those as many as the page has.
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
 * The keys of a page among the first rows of the order, each of which is tested. A text that most rows have fills the page; one that
 * few have is left to its index. The planner knows of neither how many rows have it, and looked through 12,000 rows for eleven.
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

/** The first rows of the order, whole. Undefined where no row can be in the list. */
function firstRows(sought: Sought, rowsMax: number): RawBuilder<unknown> | undefined {
  const { table, sort } = sought;
  const { column, direction } = orderOf(sort);
  const parts = partsInOrder(sought, sql`select t.* from ${sql.table(table.table)} t`, rowsMax);
  if (parts.length <= 1) return parts[0];
  return sql`
    select t.* from (${unionOf(parts)}) t
    order by t.${sql.ref(column)} ${direction}, t.${sql.ref(table.key)} limit ${sql.lit(rowsMax)}`;
}

/** How many first rows there are, up to `rowsMax`. */
async function countFirst(db: Db, sought: Sought, rowsMax: number): Promise<number> {
  const first = firstRows(sought, rowsMax);
  if (first === undefined) return 0;
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from (${first}) first ${sql.raw(UNPREPARED)}`.execute(db);
  return rows[0]?.found ?? 0;
}

/**
 * The page of a list with ranges of `columns`, in an order that is not theirs. The planner does not know which way is short: it takes
 * rows in the order of the page and drops those outside of the range, as if the range had its share of each page. The newest orders
 * that were changed in the last minute are in the first page or behind a million others. So it is tried: with more and more rows, all
 * of a range are sorted if there are no more of them, or else the first ones of the order are looked through. That reads at most
 * fifteen times as many rows as the shorter way does. Undefined where no row is left to look through, or neither way is short.
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
  // Otherwise the order has more rows than the range.
  const mayEnd = isNarrowedBeside(untested);
  for (const rowsMax of TRIED_ROWS) {
    if (await hasFewInRange(db, sought, columns, rowsMax)) return findSorted(db, sought);
    if (narrowed.hasUnindexed) return undefined;
    if (rowsMax <= page.offset + page.limit) continue;
    const found = await findAmongFirst(db, untested, tests, rowsMax);
    if (found.length > page.limit) return found;
    if (mayEnd && (await countFirst(db, untested, rowsMax)) < rowsMax) return undefined;
  }
  return undefined;
}

/** Whether there is anything but a status of which a row can be refused. */
function isNarrowedBeside({ table, narrowed, behind }: Sought): boolean {
  const { values, conditions, ranges } = narrowed;
  const hasValues = [...values.keys()].some((column) => column !== table.spread?.column);
  return hasValues || conditions.length > 0 || ranges.size > 0 || behind.length > 0;
}

/** Whether one of the ranges has at most so many rows. */
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

/** How many rows are in a range, up to `countMax`. Read from the index of the range alone. */
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
