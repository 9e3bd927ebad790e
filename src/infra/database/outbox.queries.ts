/**
 * The outbox: an event and its deliveries are rows, written by the transaction that changes the state they tell of.
 * Neither can exist without the other.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type EventData, type EventEnvelope, type EventType, resourceOf } from '#kernel/event';
import { type Db, UNPREPARED } from './database.ts';
import { unnestRows } from './unnest-rows.ts';

const again = sql.raw(UNPREPARED);

export interface NewEvent {
  platformId: number;
  type: EventType;
  /** Unix seconds. */
  occurredAt: number;
  data: EventData;
  /** Delivered to this subscription alone, whatever its type; left out, to every one that names the type or a prefix. */
  onlySubscriptionId?: string;
}

interface RecordedEvent extends NewEvent {
  id: string;
  /** As each receiver gets it. */
  body: string;
}

const unnestEvents = unnestRows<RecordedEvent>('t', {
  platform_id: ['int', 'platformId'],
  event_id: ['uuid', 'id'],
  type: ['text', 'type'],
  resource_external_id: ['text', ({ data }) => resourceOf(data)],
  occurred_at: ['bigint', 'occurredAt'],
  body: ['text', 'body'],
  only_subscription_id: ['uuid', (event) => event.onlySubscriptionId ?? null],
});

/** Records events and a delivery for each active subscription, in one statement. Answers the event ids, in order. */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const recorded = events.map((event): RecordedEvent => {
    const id = randomUUID();
    const { occurredAt, type, data } = event;
    return {
      ...event,
      id,
      body: JSON.stringify({ id, occurred_at: occurredAt, type, data } satisfies EventEnvelope),
    };
  });
  await sql`
    with input as (
      select * from ${unnestEvents(recorded)}
    ), recorded as (
      insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      select platform_id, event_id, type, resource_external_id, occurred_at, body from input
    )
    insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
    select i.platform_id, s.subscription_id, i.event_id, 'PENDING'
    from input i
    cross join lateral (
      select subscription_id, type from webhook_subscriptions where platform_id = i.platform_id and status = 'ACTIVE' offset 0
    ) s
    where case when i.only_subscription_id is null
      then i.type = s.type or starts_with(i.type, s.type || '.')
      else s.subscription_id = i.only_subscription_id end`.execute(db);
  return recorded.map(({ id }) => id);
}

/**
 * Gives committed events their position: 1, 2, 3 … per platform, without gaps. Numbering happens after commit, by one
 * process at a time, so a position never appears behind one that a reader has already passed. Answers how many it gave.
 */
export async function positionEvents(db: Db, batchSizeMax: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // A statement of its own: in one with the numbering, whose snapshot is taken first, events that another process
    // numbered in between would look unnumbered, and be moved to the end.
    // Read in the order of the index, and not through a bitmap: only so what was numbered before drops out of the index
    // at once, instead of being looked at by every batch until the next vacuum (measured after 40,000 events: 4.9 ms a
    // batch, and 0.4 ms this way).
    const { rows } = await sql<{ is_held: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('tradeline/event-positions', 0)) as is_held,
        set_config('enable_bitmapscan', 'off', true)`.execute(transaction);
    if (!rows[0]?.is_held) return 0;
    const { numAffectedRows } = await sql`
      with batch as materialized (
        select e.platform_id, e.event_id,
          row_number() over (partition by e.platform_id order by e.ordinal) as nth,
          count(*) over (partition by e.platform_id) as batch_size
        from (
          select platform_id, event_id, ordinal from events
          where position is null
          order by ordinal limit ${batchSizeMax}
        ) e
      ), counters as (
        insert into event_positions as p (platform_id, position_last)
        select distinct platform_id, batch_size from batch
        on conflict (platform_id) do update set position_last = p.position_last + excluded.position_last
        returning p.platform_id, p.position_last
      )
      update events e set position = c.position_last - b.batch_size + b.nth
      from batch b join counters c on c.platform_id = b.platform_id
      where e.platform_id = b.platform_id and e.event_id = b.event_id
      ${again}`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}

/** Of all platforms: finished history older than 30 days goes, in batches small enough not to be felt. */
export async function pruneEvents(db: Db, batchSizeMax: number): Promise<number> {
  const { rows } = await sql<{ pruned: number }>`
    with old as (
      select e.platform_id, e.event_id from events e
      where e.recorded_at < now() - interval '30 days' and e.position is not null
        and not exists (select from webhook_deliveries d
          where d.platform_id = e.platform_id and d.event_id = e.event_id and d.status = 'PENDING')
      order by e.recorded_at limit ${batchSizeMax}
    ), old_deliveries as (
      select d.platform_id, d.delivery_id from webhook_deliveries d join old using (platform_id, event_id)
    ), attempts as (
      delete from webhook_attempts a using old_deliveries d
      where a.platform_id = d.platform_id and a.delivery_id = d.delivery_id
    ), deliveries as (
      delete from webhook_deliveries w using old_deliveries d
      where w.platform_id = d.platform_id and w.delivery_id = d.delivery_id
    ), gone as (
      delete from events e using old o where e.platform_id = o.platform_id and e.event_id = o.event_id returning 1
    )
    select count(*) as pruned from gone
    ${again}`.execute(db);
  return rows[0]?.pruned ?? 0;
}
