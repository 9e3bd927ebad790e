/**
 * The outbox: the transaction that makes a change writes the events, and the rows that hand them on (which the caller supplies). Neither
 * exists without the other.
 */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Db, UNPREPARED } from './database.ts';
import { onEachShard } from './each-platform.ts';
import { unnestRows } from './unnest-rows.ts';

const unprepared = sql.raw(UNPREPARED);

export interface OutboxEvent {
  platformId: number;
  type: string;
  resourceExternalId: string;
  /** Unix seconds. */
  occurredAt: number;
  data: object;
  /** The only recipient, regardless of its subscriptions; null for every recipient of the type. */
  onlyRecipientId: string | null;
}

interface OutboxRow extends OutboxEvent {
  id: string;
  /** The envelope that every recipient gets, as JSON. */
  body: string;
}

const unnestEvents = unnestRows<OutboxRow>('t', {
  platform_id: ['int', 'platformId'],
  event_id: ['uuid', 'id'],
  type: ['text', 'type'],
  resource_external_id: ['text', 'resourceExternalId'],
  occurred_at: ['bigint', 'occurredAt'],
  body: ['text', 'body'],
  only_recipient_id: ['uuid', 'onlyRecipientId'],
});

/**
 * Writes events and, in the same statement, the rows that hand them on. `handOn` is a statement for the events of one platform that reads
 * the rows of `input(platform_id, event_id, type, only_recipient_id)`. Returns the event ids, in the order of `events`.
 */
export async function writeEvents(
  db: Db,
  events: readonly OutboxEvent[],
  handOn: (platformId: number) => RawBuilder<unknown>,
): Promise<string[]> {
  const rows = events.map((event): OutboxRow => {
    const id = randomUUID();
    const { occurredAt, type, data } = event;
    return { ...event, id, body: JSON.stringify({ id, occurred_at: occurredAt, type, data }) };
  });
  for (const [platformId, ofPlatform] of Map.groupBy(rows, (row) => row.platformId))
    await sql`
      with input as not materialized (
        select * from ${unnestEvents(ofPlatform)}
      ), written as (
        insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
        select ${platformId}::int, event_id, type, resource_external_id, occurred_at, body from input
      )
      ${handOn(platformId)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Gives committed events their position: 1, 2, 3 … per platform, without gaps. Numbering happens after commit, in one process at a time, so
 * no event appears at a position that a reader has passed. Returns the number of events.
 */
export async function positionEvents(db: Db, batchSizeMax: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // Separate from the numbering statement: a snapshot taken before the lock would show events that another process has numbered since as
    // unnumbered, and move them to the end. Bitmap scans are off: only an index scan marks numbered entries as dead immediately; otherwise
    // every batch reads them again until the next vacuum (measured after 40,000 events: 4.9 ms a batch instead of 0.4 ms).
    const { rows } = await sql<{ is_locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('tradeline/event-positions', 0)) as is_locked,
        set_config('enable_bitmapscan', 'off', true)`.execute(transaction);
    if (!rows[0]?.is_locked) return 0;
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
        on conflict (platform_id) do update
          set position_last = p.position_last + excluded.position_last, is_followed = false
        returning p.platform_id, p.position_last
      )
      update events e set position = c.position_last - b.batch_size + b.nth
      from batch b join counters c on c.platform_id = b.platform_id
      where e.platform_id = b.platform_id and e.event_id = b.event_id
      ${unprepared}`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}

/** The rows that refer to events, described by the module that hands events on. */
export interface EventDependents {
  /**
   * The common table expression `pending(platform_id, position)`: the events in `front(platform_id, event_id, position)` that are not fully
   * handed on.
   */
  pending: RawBuilder<unknown>;
  /** Common table expressions that delete the rows of the events in `old(platform_id, event_id)`. */
  deletions: RawBuilder<unknown>;
}

export interface EventPruning {
  keptDays: number;
  /** The maximum number of events that one statement deletes. */
  batchSizeMax: number;
}

/** A platform and the number of its events in a batch. */
interface PlatformEvents {
  platform_id: number;
  event_count: number;
}

/**
 * Deletes numbered events older than `keptDays` with their dependents, on all platforms. On each platform it deletes only those before the
 * first event that is kept, so a reader can continue after the position of any existing event and misses none. Returns the number of
 * events.
 */
export async function deleteOldEvents(
  db: Db,
  pruning: EventPruning,
  dependents: EventDependents,
): Promise<number> {
  let deleted = 0;
  let recordedFrom = new Date(0);
  // Many old events can follow the first one that is kept, so later batches skip these platforms.
  const ended: number[] = [];
  for (let looked = pruning.batchSizeMax; looked === pruning.batchSizeMax; ) {
    const batch = await findOldEvents(db, pruning, { recordedFrom, ended });
    looked = sumOf(batch);
    const gone = await onEachShard(db, batch, (each) => deleteFirstEvents(db, each, pruning, dependents));
    deleted += sumOf(gone);
    const goneOf = new Map(gone.map(({ platform_id, event_count }) => [platform_id, event_count]));
    for (const { platform_id, event_count, recorded_last } of batch) {
      if (goneOf.get(platform_id) !== event_count) ended.push(platform_id);
      if (recorded_last > recordedFrom) recordedFrom = recorded_last;
    }
  }
  return deleted;
}

const sumOf = (platforms: readonly PlatformEvents[]) =>
  platforms.reduce((sum, { event_count }) => sum + event_count, 0);

interface OldEvents extends PlatformEvents {
  recorded_last: Date;
}

/** Counts the next old events of each platform that is not in `ended`. */
async function findOldEvents(
  db: Db,
  { keptDays, batchSizeMax }: EventPruning,
  { recordedFrom, ended }: { recordedFrom: Date; ended: readonly number[] },
): Promise<OldEvents[]> {
  const { rows } = await sql<OldEvents>`
    select platform_id, count(*)::int as event_count, max(recorded_at) as recorded_last
    from (
      select platform_id, recorded_at from events
      where recorded_at < now() - make_interval(days => ${keptDays}::int) and recorded_at >= ${recordedFrom}::timestamptz
        and position is not null and platform_id <> all(${ended}::int[])
      order by recorded_at limit ${batchSizeMax}
    ) e
    group by platform_id order by platform_id
    ${unprepared}`.execute(db);
  return rows;
}

const unnestPlatforms = unnestRows<PlatformEvents>('k', {
  platform_id: ['int', 'platform_id'],
  event_count: ['int', 'event_count'],
});

/** Deletes the first `event_count` events of each platform, up to the first one that is kept. */
async function deleteFirstEvents(
  db: Db,
  platforms: readonly PlatformEvents[],
  { keptDays, batchSizeMax }: EventPruning,
  { pending, deletions }: EventDependents,
): Promise<PlatformEvents[]> {
  // The limit over all platforms tells the planner that there are few rows.
  const { rows } = await sql<PlatformEvents>`
    with front as materialized (
      select e.platform_id, e.event_id, e.position, e.is_old
      from ${unnestPlatforms(platforms)} cross join lateral (
        select platform_id, event_id, position, recorded_at < now() - make_interval(days => ${keptDays}::int) as is_old
        from events where platform_id = k.platform_id and position is not null
        order by position limit k.event_count
      ) e
      limit ${batchSizeMax}
    ), ${pending}, kept as materialized (
      select platform_id, min(position) as position
      from (
        select platform_id, position from pending union all select platform_id, position from front where not is_old
      ) e
      group by platform_id
    ), old as materialized (
      select f.platform_id, f.event_id from front f left join kept on kept.platform_id = f.platform_id
      where kept.position is null or f.position < kept.position
    ), ${deletions}, gone as (
      delete from events e using old o where e.platform_id = o.platform_id and e.event_id = o.event_id returning e.platform_id
    )
    select platform_id, count(*)::int as event_count from gone group by platform_id
    ${unprepared}`.execute(db);
  return rows;
}
