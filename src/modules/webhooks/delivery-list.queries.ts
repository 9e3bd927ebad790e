/** Deliveries of a subscription and their attempts, for the people who investigate them. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inSnapshot } from '#infra/database/transaction';
import { within } from '#operation/list.queries';

/** The number of deliveries that one page examines: no index has the filters, because every write would pay for it. */
const EXAMINED_MAX = 10_000;

export interface DeliveryFilters {
  /** Deliveries before this one. */
  before: number | null;
  statuses: readonly string[] | null;
  eventIds: readonly string[] | null;
  types: readonly string[] | null;
  /** As in the query: `gte..lte`, in unix seconds. */
  createdAt: string | null;
}

export interface DeliveryRow {
  delivery_id: number;
  event_id: string;
  type: string;
  resource_external_id: string;
  status: string;
  round: number;
  created_at: number;
  waiting_since: number;
  next_attempt_at: number;
  finished_at: number | null;
}

export interface AttemptRow {
  delivery_id: number;
  round: number;
  attempt: number;
  started_at: number;
  duration_ms: number;
  status_code: number | null;
  failure: string | null;
  failure_detail: string | null;
  url: string | null;
  address: string | null;
  answer_sealed: Buffer | null;
}

const seconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}))::bigint`);

/**
 * A page of deliveries, the newest first, and the `before` of the next page; null after the last one. Reads one snapshot, so that the
 * next page begins after the deliveries that this one examined.
 */
export async function listDeliveryRows(
  db: Db,
  platformId: number,
  subscriptionId: string,
  filters: DeliveryFilters,
  limit: number,
): Promise<{ rows: DeliveryRow[]; next: number | null }> {
  return inSnapshot(db, (snapshot) => listInSnapshot(snapshot, platformId, subscriptionId, filters, limit));
}

async function listInSnapshot(
  db: Db,
  platformId: number,
  subscriptionId: string,
  filters: DeliveryFilters,
  limit: number,
): Promise<{ rows: DeliveryRow[]; next: number | null }> {
  const examined = sql`
    select * from webhook_deliveries
    where platform_id = ${platformId} and delivery_id < ${filters.before ?? Number.MAX_SAFE_INTEGER}
    order by delivery_id desc limit ${EXAMINED_MAX}`;
  const { rows } = await sql<DeliveryRow>`
    select d.delivery_id, d.event_id, e.type, e.resource_external_id, d.status, d.round,
      ${seconds('d.created_at')} as created_at, ${seconds('d.waiting_since')} as waiting_since,
      ${seconds('d.next_attempt_at')} as next_attempt_at, ${seconds('d.finished_at')} as finished_at
    from (${examined}) d
    cross join lateral (
      select type, resource_external_id from events where platform_id = ${platformId} and event_id = d.event_id offset 0
    ) e
    where d.subscription_id = ${subscriptionId} and ${matching(filters)}
    order by d.delivery_id desc limit ${limit + 1}`.execute(db);
  if (rows.length > limit) {
    const page = rows.slice(0, limit);
    return { rows: page, next: page.at(-1)?.delivery_id ?? null };
  }
  const { rows: ends } = await sql<{ count: number; last: number }>`
    select count(*) as count, min(delivery_id) as last from (${examined}) d`.execute(db);
  const end = ends[0] as { count: number; last: number };
  return { rows, next: end.count === EXAMINED_MAX ? end.last : null };
}

function matching({ statuses, eventIds, types, createdAt }: DeliveryFilters) {
  return sql<SqlBool>`(${statuses}::text[] is null or d.status = any(${statuses}))
      and (${eventIds}::uuid[] is null or d.event_id = any(${eventIds}))
      and (${types}::text[] is null or e.type = any(${types}))
      and ${within(seconds('d.created_at'), createdAt ?? '..')}`;
}

/** The attempts of deliveries, in the order in which they were made. */
export async function listAttempts(
  db: Db,
  platformId: number,
  deliveryIds: readonly number[],
): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select a.delivery_id, a.round, a.attempt, ${seconds('a.started_at')} as started_at, a.duration_ms, a.status_code, a.failure,
      a.failure_detail, a.url, a.address, a.answer_sealed
    from unnest(${deliveryIds}::bigint[]) d(delivery_id)
    cross join lateral (
      select * from webhook_attempts where platform_id = ${platformId} and delivery_id = d.delivery_id offset 0
    ) a
    order by a.delivery_id, a.round, a.attempt`.execute(db);
  return rows;
}
