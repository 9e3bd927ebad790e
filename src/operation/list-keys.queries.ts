/** The keys of a page, from an index: the rows that a page shows are read, and not those before and beside them. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { DB } from '#infra/database/schema';
import type { Page } from './list.ts';
import type { ListPosition } from './list-cursor.ts';

/** Of what table the keys are. */
export interface KeyedTable {
  table: keyof DB & string;
  /** The column that names a row in its platform, or in the resource whose rows these are: ties are in its order. */
  key: string;
  /** Columns that sort and can be null. */
  nullable?: readonly string[];
  /** The column that stands in indexes before the one that sorts, with all its values. */
  spread?: { column: string; values: readonly string[] };
}

/** A text that rows are searched for. */
export interface TextSearch {
  /** Whether the row `t` has it, at little cost. */
  isInRow: RawBuilder<unknown>;
  /** The same, by an index that finds all rows with it, in no order. */
  byIndex: RawBuilder<unknown>;
}

/** What a filter asks for. */
export interface Narrowed {
  ofPlatform: RawBuilder<unknown>;
  /** Of each column, the values of which a row has one; without repetitions. */
  values: Map<string, readonly string[]>;
  /** Of each column, the range in which a row has its value. The column has an index like one that sorts. */
  ranges: Map<string, RawBuilder<unknown>>;
  conditions: RawBuilder<unknown>[];
  search: TextSearch | undefined;
  /** Whether an index has these rows in the order of the page, whatever the values are. */
  isInOrder: boolean;
}

export interface KeysOfPage {
  /** As in `sort_by`. */
  sort: string;
  after: ListPosition | null;
  page: Page;
}

export type FoundKey = Pick<ListPosition, 'key' | 'value'>;

/** So many rows are sorted instead of being looked for in the order of the page. */
const SORTED_MAX = 500;

/** So many rows are searched one by one: some milliseconds, where a page is not filled before. */
const SEARCHED_MAX = 5_000;

/** More parts of a list than these are read as one, without an order from an index. */
const PARTS_MAX = 100;

export function orderOf(sort: string): { column: string; direction: RawBuilder<unknown> } {
  return { column: sort.replace('-', ''), direction: sort.startsWith('-') ? sql`desc` : sql`asc` };
}

/** All that a row of the list fulfils. */
export function conditionsOf({ values, ...others }: Omit<Narrowed, 'isInOrder'>): RawBuilder<unknown>[] {
  return [
    ...besideValues(others),
    ...[...values].map(([column, some]) => equalToOneOf(sql.ref(`t.${column}`), some)),
  ];
}

const besideValues = ({ ofPlatform, conditions, ranges, search }: Omit<Narrowed, 'values' | 'isInOrder'>) => [
  ofPlatform,
  ...conditions,
  ...ranges.values(),
  ...(search ? [search.byIndex] : []),
];

/** One value is `=`: only then does an index have the rows in the order of its next column. */
function equalToOneOf(column: RawBuilder<unknown>, some: readonly string[]): RawBuilder<unknown> {
  return some.length === 1 ? sql`${column} = ${some[0]}` : sql`${column} = any(${some}::text[])`;
}

/** One more than the page has, if there is one. */
export async function findKeys(
  db: Db,
  table: KeyedTable,
  narrowed: Narrowed,
  { sort, after, page }: KeysOfPage,
): Promise<FoundKey[]> {
  const { column, direction } = orderOf(sort);
  const isNullable = table.nullable?.includes(column) ?? false;
  const behind = after === null ? [] : [isBehind(table.key, after, isNullable)];
  const order = sql`order by value ${direction}, key`;
  const selected = sql`
    select t.${sql.ref(table.key)} as key, t.${sql.ref(column)} as value from ${sql.table(table.table)} t`;
  if (narrowed.search) {
    const first = await findAmongFirst(
      db,
      table,
      { ...narrowed, search: narrowed.search },
      { sort, page, behind },
    );
    if (first.length > page.limit) return first;
  }
  const parts: RawBuilder<unknown>[] = [];
  const others = [...narrowed.ranges.keys()].filter((name) => name !== column);
  if (narrowed.search || (others.length > 0 && (await hasFewInRange(db, table, narrowed, others))))
    // A subquery with an offset is planned for itself: for all of its rows, by the index of the range or of the text.
    parts.push(
      sql`(${selected} where ${sql.join([...conditionsOf(narrowed), ...behind], sql` and `)} offset 0)`,
    );
  else {
    // Each part is ordered and limited by itself: only then does the planner merge indexes instead of sorting everything.
    const countMax = sql.lit(page.offset + page.limit + 1);
    const { values } = narrowed;
    // The index of the key has no status before it.
    const together = column === table.key ? [...values.keys()] : [table.key];
    for (const equal of partsOf(values, together)) {
      const matching = sql.join([...besideValues(narrowed), ...equal, ...behind], sql` and `);
      parts.push(sql`(${selected} where ${matching} ${order} limit ${countMax})`);
    }
  }
  if (parts.length === 0) return [];
  // A plan is kept where it is the same for all values. Else values that few rows have would be looked for by the plan of those
  // that most have, which reads all rows of the platform.
  const ending = sql.raw(narrowed.isInOrder ? '' : UNPREPARED);
  const { rows } = await sql<FoundKey>`
    select key, value from (${sql.join(parts, sql` union all `)}) listed
    ${order} limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}
    ${ending}`.execute(db);
  return rows;
}

/**
 * The keys of a page among the first rows of the order, each of which is searched. A text that most rows have fills the page; one that
 * few have is left to its index. The planner knows of neither how many rows have it, and looked through 12,000 rows for eleven.
 */
async function findAmongFirst(
  db: Db,
  table: KeyedTable,
  { search, ...narrowed }: Narrowed & { search: TextSearch },
  { sort, page, behind }: { sort: string; page: Page; behind: RawBuilder<unknown>[] },
): Promise<FoundKey[]> {
  const { column, direction } = orderOf(sort);
  const value = sql.ref(`t.${column}`);
  const key = sql.ref(`t.${table.key}`);
  const order = sql`order by ${value} ${direction}, ${key}`;
  const { rows } = await sql<FoundKey>`
    select ${key} as key, ${value} as value from (
      select t.* from ${sql.table(table.table)} t
      where ${sql.join([...conditionsOf({ ...narrowed, search: undefined }), ...behind], sql` and `)}
      ${order} limit ${sql.lit(SEARCHED_MAX)}
    ) t
    where ${search.isInRow} ${order} limit ${sql.lit(page.limit + 1)} offset ${sql.lit(page.offset)}
    ${sql.raw(UNPREPARED)}`.execute(db);
  return rows;
}

/**
 * Whether one of the ranges has so few rows that they are sorted. The planner does not know it: it takes rows in the order of the
 * page and drops those outside of the range, as if the range had its share of each page. The newest orders that were changed in the
 * last minute are in the first page or behind a million others.
 */
async function hasFewInRange(
  db: Db,
  table: KeyedTable,
  narrowed: Narrowed,
  columns: readonly string[],
): Promise<boolean> {
  for (const column of columns)
    if ((await countInRange(db, table, narrowed, column)) <= SORTED_MAX) return true;
  return false;
}

/** How many rows are in a range, up to one more than are sorted. Read from the index of the range alone. */
async function countInRange(
  db: Db,
  { table, spread }: KeyedTable,
  { values, ranges, ofPlatform }: Narrowed,
  column: string,
): Promise<number> {
  const before = spread ? new Map([[spread.column, values.get(spread.column) ?? spread.values]]) : new Map();
  const limit = sql`limit ${sql.lit(SORTED_MAX + 1)}`;
  const parts = partsOf(before, []).map(
    (equal) => sql`(
      select from ${sql.table(table)} t where ${sql.join([ofPlatform, ranges.get(column), ...equal], sql` and `)}
      order by t.${sql.ref(column)} ${limit}
    )`,
  );
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found
    from (select from (${sql.join(parts, sql` union all `)}) parts ${limit}) found`.execute(db);
  return rows[0]?.found ?? 0;
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
    const conditions = isOne ? [equalToOneOf(column, some)] : some.map((value) => sql`${column} = ${value}`);
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
