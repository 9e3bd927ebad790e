/** The rows that a set-based statement is about: lists of one length, a column each. */
import { type RawBuilder, sql } from 'kysely';

export type ListType = 'bigint' | 'boolean' | 'bytea' | 'float8' | 'int' | 'json' | 'jsonb' | 'text' | 'uuid';

/** What a column is called in the statement, its type, and the property that has its value, or how to get it. */
export type ListedColumns<Item> = Record<
  string,
  readonly [ListType, (keyof Item & string) | ((item: Item) => unknown)]
>;

/**
 * Makes `unnest(…) as <alias>(<columns>)`, with `nth` (from 1) as the last column where it is asked for.
 *
 * PostgreSQL is kept from seeing how long the lists are: each stands behind a sub-select. Where it sees a list of one,
 * a plan for that list promises less than the kept one, which is for any, and so it made a plan for every single call:
 * of a checkout's statements that took as long as running them. Now a connection keeps the plan, which has to be good
 * for one row as for hundreds: look each of them up by itself (`lateral … offset 0`).
 */
export function unnestRows<Item>(
  alias: string,
  columns: ListedColumns<Item>,
  { withNth = false }: { withNth?: boolean } = {},
): (items: readonly Item[]) => RawBuilder<unknown> {
  const lists = Object.values(columns).map(([type, from]) => ({
    type,
    read: writtenOut(type, typeof from === 'string' ? (item: Item) => item[from] : from),
  }));
  const names = [...Object.keys(columns), ...(withNth ? ['nth'] : [])];
  const end = `)${withNth ? ' with ordinality' : ''} as ${alias}(${names.join(', ')})`;
  // The text between the lists, put together once: a statement is built for every call.
  const text = lists.map(({ type }, at) => `::${type}[])${at < lists.length - 1 ? ', (select ' : end}`);
  const strings = ['unnest((select ', ...text] as unknown as TemplateStringsArray;
  return (items) => sql(strings, ...lists.map(({ read }) => items.map(read)));
}

/** What is to be JSON is handed over as its text. */
function writtenOut<Item>(type: ListType, read: (item: Item) => unknown): (item: Item) => unknown {
  if (type !== 'json' && type !== 'jsonb') return read;
  return (item) => {
    const value = read(item);
    return value === null ? null : JSON.stringify(value);
  };
}

interface Key {
  platformId: number;
  externalId: string;
}

const KEY: ListedColumns<Key> = { platform_id: ['int', 'platformId'], external_id: ['text', 'externalId'] };

/** Of tables whose rows have an external_id of their own: `k(platform_id, external_id)`. */
export const unnestKeys = unnestRows('k', KEY);

/** The same with `nth`, from 1. */
export const unnestNumberedKeys = unnestRows('k', KEY, { withNth: true });

/** Of tables that have one row a buyer: `k(platform_id, buyer_external_id)`. */
export const unnestBuyerKeys = unnestRows<{ platformId: number; buyerExternalId: string }>('k', {
  platform_id: ['int', 'platformId'],
  buyer_external_id: ['text', 'buyerExternalId'],
});
