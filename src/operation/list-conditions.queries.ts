/** What a list is narrowed to, as conditions of its rows `t`, and the parts of which it is the union. */
import { type RawBuilder, sql } from 'kysely';
import type { DB } from '#infra/database/schema';
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
  /** Whether one of them is by a column without an index: a row that has it is found among all. */
  hasUnindexed: boolean;
  search: TextSearch | undefined;
  /** Whether an index has these rows in the order of the page, whatever the values are. */
  isInOrder: boolean;
}

export function orderOf(sort: string): { column: string; direction: RawBuilder<unknown> } {
  return { column: sort.replace('-', ''), direction: sort.startsWith('-') ? sql`desc` : sql`asc` };
}

/** All that a row of the list fulfils. */
export function conditionsOf({
  values,
  ...others
}: Omit<Narrowed, 'isInOrder' | 'hasUnindexed'>): RawBuilder<unknown>[] {
  return [
    ...besideValues(others),
    ...[...values].map(([column, some]) => equalToOneOf(sql.ref(`t.${column}`), some)),
  ];
}

/** The conditions of columns without a value of their own. */
export const besideValues = ({
  ofPlatform,
  conditions,
  ranges,
  search,
}: Omit<Narrowed, 'values' | 'isInOrder' | 'hasUnindexed'>): RawBuilder<unknown>[] => [
  ofPlatform,
  ...conditions,
  ...ranges.values(),
  ...(search ? [search.byIndex] : []),
];

/** One value is `=`: only then does an index have the rows in the order of its next column. */
function equalToOneOf(column: RawBuilder<unknown>, some: readonly string[]): RawBuilder<unknown> {
  return some.length === 1 ? sql`${column} = ${some[0]}` : sql`${column} = any(${some}::text[])`;
}

/** More parts of a list than these are not merged. */
export const PARTS_MAX = 100;

/**
 * Conditions of the parts of which a list is the union: in each, every column has one value, so that an index has its rows in
 * order. Of too many, the columns with most values stay one condition, as `together` do.
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

/** The values of each part in which every column has one, in the order of the columns. */
export function combinationsOf(values: ReadonlyMap<string, readonly string[]>): string[][] {
  return [...values.values()].reduce<string[][]>(
    (before, some) => before.flatMap((each) => some.map((value) => [...each, value])),
    [[]],
  );
}

/** Behind the last item of a page. Null is above all values. */
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
  // The first comparison is what the index finds.
  const isBehindValue = isDown
    ? sql`(${column} <= ${value} and (${column} < ${value} or ${isTieBehind}))`
    : sql`(${column} >= ${value} and (${column} > ${value} or ${isTieBehind}))`;
  return isNullable && !isDown ? sql`(${isBehindValue} or ${column} is null)` : isBehindValue;
}
