/** The filters of a list as conditions on its rows `t`, and the parts whose union is the list. */
import { type RawBuilder, sql } from 'kysely';
import type { DB } from '#infra/database/schema';
import type { ListPosition } from './list-cursor.ts';

/** The table that the keys belong to. */
export interface KeyedTable {
  table: keyof DB & string;
  /** The column that identifies a row in its platform, or in the resource that the rows belong to. It orders ties. */
  key: string;
  /** Sort columns that can be null. */
  nullable?: readonly string[];
  /** The column that precedes the sort column in indexes, with all its values. */
  spread?: { column: string; values: readonly string[] };
}

/** A text that rows are searched for. */
export interface TextSearch {
  /** Whether the row `t` contains it: a cheap test. */
  isInRow: RawBuilder<unknown>;
  /** Whether the row contains it, by an index that finds all such rows in no order. */
  byIndex: RawBuilder<unknown>;
}

/** The conditions of a request's filters. */
export interface Narrowed {
  ofPlatform: RawBuilder<unknown>;
  /** For each column, the distinct values of which a row must have one. */
  values: Map<string, readonly string[]>;
  /** For each column, the range that a row's value must be in. The column has an index like a sort column. */
  ranges: Map<string, RawBuilder<unknown>>;
  conditions: RawBuilder<unknown>[];
  search: TextSearch | undefined;
  /** Whether an index has these rows in the order of the page, regardless of the values. */
  isInOrder: boolean;
}

export function orderOf(sort: string): { column: string; direction: RawBuilder<unknown> } {
  return { column: sort.replace('-', ''), direction: sort.startsWith('-') ? sql`desc` : sql`asc` };
}

/** All conditions that a row of the list meets. */
export function conditionsOf({ values, ...others }: Omit<Narrowed, 'isInOrder'>): RawBuilder<unknown>[] {
  return [
    ...besideValues(others),
    ...[...values].map(([column, some]) => equalToOneOf(sql.ref(`t.${column}`), some)),
  ];
}

/** The conditions other than those on the values of a column. */
export const besideValues = ({
  ofPlatform,
  conditions,
  ranges,
  search,
}: Omit<Narrowed, 'values' | 'isInOrder'>): RawBuilder<unknown>[] => [
  ofPlatform,
  ...conditions,
  ...ranges.values(),
  ...(search ? [search.byIndex] : []),
];

/** Uses `=` for a single value: only then does an index return the rows in the order of its next column. */
function equalToOneOf(column: RawBuilder<unknown>, some: readonly string[]): RawBuilder<unknown> {
  return some.length === 1 ? sql`${column} = ${some[0]}` : sql`${column} = any(${some}::text[])`;
}

/** The maximum number of parts of a list that are merged. */
export const PARTS_MAX = 100;

/**
 * Conditions of the parts whose union is the list. In each part every column has one value, so that an index has its rows in order. If that
 * makes too many parts, the columns with the most values stay one condition, as do those in `together`.
 */
export function partsOf(
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

/** The values of each part, one per column, in the order of the columns. */
export function combinationsOf(values: ReadonlyMap<string, readonly string[]>): string[][] {
  return [...values.values()].reduce<string[][]>(
    (before, some) => before.flatMap((each) => some.map((value) => [...each, value])),
    [[]],
  );
}

/** The condition for rows after the last item of a page. Null sorts above all values. */
export function isBehind(
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
  // The index serves the first comparison.
  const isBehindValue = isDown
    ? sql`(${column} <= ${value} and (${column} < ${value} or ${isTieBehind}))`
    : sql`(${column} >= ${value} and (${column} > ${value} or ${isTieBehind}))`;
  return isNullable && !isDown ? sql`(${isBehindValue} or ${column} is null)` : isBehindValue;
}
