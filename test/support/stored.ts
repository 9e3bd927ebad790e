/** Data in the database that the API does not show: history, ledger, events, and plain bytes. */
import type { EventEnvelope } from '#kernel/event';
import type { StoredTransition } from '#operation/history';
import type { Json } from './api-document.ts';
import type { World } from './world.ts';

/** The status transitions of an order, oldest first. */
export const orderTransitions = (world: Stored, orderExternalId: string) =>
  transitions<StoredTransition>(world, 'order_transitions', ['order_external_id', orderExternalId]);

/** The status transitions of a buyer's facility, oldest first. */
export const facilityTransitions = (world: Stored, buyerExternalId: string) =>
  transitions<StoredTransition>(world, 'facility_transitions', ['buyer_external_id', buyerExternalId]);

/** The status transitions of a credit review, oldest first. */
export const reviewTransitions = (world: Stored, reviewId: string) =>
  transitions<Omit<StoredTransition, 'decision_id'> & { limit_minor: number | null }>(
    world,
    'credit_review_transitions',
    ['review_id', reviewId],
  );

export interface StoredEntry {
  platform_id: number;
  buyer_external_id: string;
  entry: number;
  /** Unix seconds. */
  recorded_at: number;
  cause: string;
  order_external_id: string | null;
  invoice_external_id: string | null;
  decision_id: string | null;
  total_change: number;
  used_change: number;
  pending_orders_change: number;
  total_amount: number;
  used_amount: number;
  pending_orders_amount: number;
  available_amount: number;
  available_change: number;
  ceiling_amount: number | null;
  actor: string;
}

/** The ledger entries of a buyer's facility or of an order, in the order of posting. */
export const ledgerEntries = (world: Stored, of: { buyer: string } | { order: string }) =>
  storedRows<StoredEntry>(
    world,
    'facility_ledger',
    'buyer' in of ? ['buyer_external_id', of.buyer] : ['order_external_id', of.order],
    'buyer_external_id, entry',
  );

/** A world, or another platform in its database. */
type Stored = Pick<World, 'sql'> & { platform: { platform_id: number } };

/** The platform's rows as JSON, in which bigint columns are numbers. */
async function storedRows<Row>(
  { sql, platform }: Stored,
  table: string,
  [column, value]: [column: string, value: string],
  order: string,
): Promise<Row[]> {
  const rows = await sql<{ row: Row }>(
    `select to_jsonb(t) as row from ${table} t where platform_id = $1 and ${column} = $2 order by ${order}`,
    [platform.platform_id, value],
  );
  return rows.map(({ row }) => row);
}

async function transitions<Row>(world: Stored, table: string, key: [column: string, value: string]) {
  const rows = await storedRows<Row & Record<string, unknown>>(world, table, key, 'version');
  return rows.map(({ platform_id: _, [key[0]]: __, ...row }) => row as Row);
}

/** An event of any type, whose schema defines the data. */
type RecordedEvent = EventEnvelope & { data: Json };

/** The events of one type, of every resource and platform, in the order in which they were recorded. */
export async function recordedEventsOfType(
  world: Pick<World, 'sql'>,
  type: string,
): Promise<RecordedEvent[]> {
  const rows = await world.sql<{ body: string }>('select body from events where type = $1 order by ordinal', [
    type,
  ]);
  return rows.map(({ body }) => JSON.parse(body));
}

/** The events of one resource as receivers get them, in the order in which they were recorded. */
export async function recordedEvents(
  world: Pick<World, 'sql'>,
  externalId: string,
): Promise<RecordedEvent[]> {
  const rows = await world.sql<{ body: string }>(
    'select body from events where resource_external_id = $1 order by ordinal',
    [externalId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** The tables in which some row contains one of the texts, as text or within bytes, plain or in base64. */
export async function tablesHolding(world: World, texts: readonly string[]): Promise<string[]> {
  const spellings = texts.flatMap(spellingsOf);
  const tables = await world.sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await world.sql<{ row: string }>(`select t::text as row from "${name}" t`);
    const texts = rows.map(({ row }) => row + bytesOf(row));
    if (texts.some((text) => spellings.some((spelling) => text.includes(spelling)))) holding.push(name);
  }
  return holding;
}

/** The bytea columns, which a row shows in hexadecimal, as one character per byte. */
function bytesOf(row: string): string {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('\n');
}

/** Base64 depends on where in a group of three bytes the word begins; its edges depend on the neighbours. */
function spellingsOf(word: string): string[] {
  const bytes = Buffer.from(word);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(offset === 0 ? 0 : 4, -4);
  });
  return [word, bytes.toString('latin1'), ...base64];
}
