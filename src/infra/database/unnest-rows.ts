/** The input rows of a set-based statement: one list per column, all of one length. */
import { type RawBuilder, sql } from 'kysely';
import { DISTRIBUTION_COLUMN } from './table-places.ts';

export type ListType = 'bigint' | 'boolean' | 'bytea' | 'float8' | 'int' | 'json' | 'jsonb' | 'text' | 'uuid';

/** Column name in the statement → its type, and the property that holds its value or a function that returns it. */
export type ListedColumns<Item> = Record<
  string,
  readonly [ListType, (keyof Item & string) | ((item: Item) => unknown)]
>;

const BYTEA_OID = 17;
const INT_BYTES = 4;
const HEADER_BYTES = 5 * INT_BYTES;

/**
 * Makes `unnest(…) as <alias>(<columns>)`. With `withNth`, the last column is `nth`, counted from 1.
 *
 * Each list is a sub-select, which hides its length from the planner. For a visible list of one item, the plan for that
 * item looks cheaper than the generic plan, and PostgreSQL planned again at every call, which took as long as running
 * the statement. The generic plan must suit one row and hundreds: look rows up one by one (`lateral … offset 0`).
 *
 * If all items belong to one platform, it is passed as a value outside the lists, so that the planner knows it and a cluster (citus.ts)
 * sends the statement to the shard of that platform.
 */
export function unnestRows<Item>(
  alias: string,
  columns: ListedColumns<Item>,
  { withNth = false }: { withNth?: boolean } = {},
): (items: readonly Item[]) => RawBuilder<unknown> {
  const lists = Object.entries(columns).map(([name, [type, from]]) => ({
    name,
    type,
    read: writtenOut(type, typeof from === 'string' ? (item: Item) => item[from] : from),
  }));
  const listOf = ({ type, read }: (typeof lists)[number], items: readonly Item[]) => {
    const values = items.map(read);
    return type === 'bytea' ? byteaArray(values as (Buffer | null)[]) : values;
  };
  const platform = lists.find(({ name }) => name === DISTRIBUTION_COLUMN);
  const others = lists.filter((list) => list !== platform);
  // Built once: the statement itself is built at every call.
  const listed = unnestText(lists, alias, withNth);
  const ofOne = platform && others.length > 0 ? ofOnePlatform(lists, platform, { alias, withNth }) : null;
  return (items) => {
    if (ofOne === null || platform === undefined)
      return sql(listed, ...lists.map((list) => listOf(list, items)));
    const [first] = items;
    const platformId = first === undefined ? NO_PLATFORM : platform.read(first);
    return items.every((item) => platform.read(item) === platformId)
      ? sql(ofOne, platformId, ...others.map((list) => listOf(list, items)))
      : sql(listed, ...lists.map((list) => listOf(list, items)));
  };
}

/** The platform of an empty list. */
const NO_PLATFORM = 0;

interface NamedList {
  name: string;
  type: ListType;
}

/** The template `unnest((select …::text[]), …) as <alias>(…)` for the values of the lists. */
function unnestText(lists: readonly NamedList[], alias: string, withNth: boolean): TemplateStringsArray {
  const names = [...lists.map(({ name }) => name), ...(withNth ? ['nth'] : [])];
  const end = `)${withNth ? ' with ordinality' : ''} as ${alias}(${names.join(', ')})`;
  const text = lists.map(({ type }, at) => `::${type}[])${at < lists.length - 1 ? ', (select ' : end}`);
  return ['unnest((select ', ...text] as unknown as TemplateStringsArray;
}

/** The same columns in the same order, with the platform as a value and the other columns as lists. */
function ofOnePlatform(
  lists: readonly NamedList[],
  platform: NamedList,
  { alias, withNth }: { alias: string; withNth: boolean },
): TemplateStringsArray {
  const others = lists.filter((list) => list !== platform);
  const [start = '', ...rest] = unnestText(others, 'v', withNth);
  const names = [...lists.map(({ name }) => `v.${name}`), ...(withNth ? ['v.nth'] : [])];
  const at = lists.indexOf(platform);
  const before = names.slice(0, at).map((name) => `${name}, `);
  const behind = names.slice(at + 1).map((name) => `, ${name}`);
  return [
    `(select ${before.join('')}`,
    `::${platform.type} as ${platform.name}${behind.join('')} from ${start}`,
    ...rest.slice(0, -1),
    `${rest.at(-1)}) as ${alias}`,
  ] as unknown as TemplateStringsArray;
}

/**
 * `(select $1::text[])::text[]`, for `= any(…)` and `unnest(…)` in a statement that is sent often. It hides the length of the list from the
 * planner, as `unnestRows` does.
 */
export function arrayOf(type: ListType, values: readonly unknown[]): RawBuilder<unknown> {
  const list = type === 'bytea' ? byteaArray(values as readonly (Buffer | null)[]) : values;
  const array = sql.raw(`${type}[]`);
  return sql`(select ${list}::${array})::${array}`;
}

/** Serializes the values of JSON columns. */
function writtenOut<Item>(type: ListType, read: (item: Item) => unknown): (item: Item) => unknown {
  if (type !== 'json' && type !== 'jsonb') return read;
  return (item) => {
    const value = read(item);
    return value === null ? null : JSON.stringify(value);
  };
}

/**
 * `bytea[]` in PostgreSQL's binary format, which is sent as it is: as text, each value is twice as long and copied several times.
 *
 * @see https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/arrayfuncs.c `array_recv`
 */
function byteaArray(values: readonly (Uint8Array | null | undefined)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + INT_BYTES + (value?.length ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  const hasNulls = values.some((value) => value == null) ? 1 : 0;
  let at = 0;
  // One dimension, starting at 1.
  for (const field of [1, hasNulls, BYTEA_OID, values.length, 1]) at = array.writeInt32BE(field, at);
  for (const value of values) {
    at = array.writeInt32BE(value?.length ?? -1, at);
    if (value) {
      array.set(value, at);
      at += value.length;
    }
  }
  return array;
}

/** Makes `k(platform_id, <column>)` for tables keyed by platform and `column`, which `property` of a key holds. */
export function unnestKeysBy<Property extends string>(
  column: string,
  property: Property,
  options?: { withNth?: boolean },
) {
  return unnestRows<{ platformId: number } & { [P in Property]: string }>(
    'k',
    { platform_id: ['int', ({ platformId }) => platformId], [column]: ['text', (key) => key[property]] },
    options,
  );
}

/** `k(platform_id, external_id)`, for tables whose rows have an `external_id`. */
export const unnestKeys = unnestKeysBy('external_id', 'externalId');

/** `unnestKeys` with `nth`, from 1. */
export const unnestNumberedKeys = unnestKeysBy('external_id', 'externalId', { withNth: true });
