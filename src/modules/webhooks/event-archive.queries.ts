/** The content of an archive of events: the events, their deliveries and attempts, without the answers of receivers. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface ArchivedEvent {
  position: number;
  event_id: string;
  type: string;
  resource_external_id: string;
  occurred_at: number;
  recorded_at: number;
  /** In the form in which receivers get it. */
  body: string;
}

export interface ArchivedDelivery {
  position: number;
  delivery_id: number;
  subscription_id: string;
  subscription_type: string;
  status: string;
  created_at: number;
  finished_at: number | null;
}

export interface ArchivedAttempt {
  delivery_id: number;
  round: number;
  attempt: number;
  started_at: number;
  duration_ms: number;
  status_code: number | null;
  failure: string | null;
}

export interface ArchivedPart {
  events: ArchivedEvent[];
  deliveries: ArchivedDelivery[];
  attempts: ArchivedAttempt[];
}

export interface ArchivedRange {
  /** Events after this position. */
  after: number;
  /** Unix seconds of real time: events that were recorded earlier. */
  until: number;
  countMax: number;
}

const seconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}))::bigint`);

/**
 * The next events that can be archived, in the order of their positions, up to the first one that was recorded later or has a pending
 * delivery. Archived events no longer change; later redeliveries are not archived.
 */
export async function readEventsToArchive(
  db: Db,
  platformId: number,
  { after, until, countMax }: ArchivedRange,
): Promise<ArchivedPart> {
  const { rows } = await sql<ArchivedEvent & { is_over: boolean }>`
    select e.position, e.event_id, e.type, e.resource_external_id, e.occurred_at, ${seconds('e.recorded_at')} as recorded_at,
      e.body, e.recorded_at < to_timestamp(${until}) and not exists (
        select from webhook_deliveries d
        where d.platform_id = ${platformId} and d.event_id = e.event_id and d.status = 'PENDING'
      ) as is_over
    from events e where e.platform_id = ${platformId} and e.position > ${after}
    order by e.position limit ${countMax}`.execute(db);
  const end = rows.findIndex(({ is_over }) => !is_over);
  const events = (end === -1 ? rows : rows.slice(0, end)).map(({ is_over: _, ...event }) => event);
  const eventIds = events.map(({ event_id }) => event_id);
  const { rows: deliveries } = await sql<ArchivedDelivery>`
    select e.position, d.delivery_id, d.subscription_id, s.type as subscription_type, d.status,
      ${seconds('d.created_at')} as created_at, ${seconds('d.finished_at')} as finished_at
    from events e
    join webhook_deliveries d on d.platform_id = ${platformId} and d.event_id = e.event_id
    join webhook_subscriptions s on s.platform_id = ${platformId} and s.subscription_id = d.subscription_id
    where e.platform_id = ${platformId} and e.event_id = any(${eventIds}::uuid[])
    order by e.position, d.delivery_id`.execute(db);
  const deliveryIds = deliveries.map(({ delivery_id }) => delivery_id);
  const { rows: attempts } = await sql<ArchivedAttempt>`
    select delivery_id, round, attempt, ${seconds('started_at')} as started_at, duration_ms, status_code, failure
    from webhook_attempts where platform_id = ${platformId} and delivery_id = any(${deliveryIds}::bigint[])
    order by delivery_id, round, attempt`.execute(db);
  return { events, deliveries, attempts };
}
