/** Reading recorded events in the order of their positions. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import type { EventEnvelope } from '#kernel/event';
import { isUuid } from '#kernel/uuid';
import { rangeOf } from '#operation/list';
import type { RecordedEvent } from './event.schemas.ts';
import type { Positions } from './event-cursor.rules.ts';

/**
 * The number of events that one page examines. Filters have no index of their own, because every write would pay for it: a page that
 * finds few matches among these events returns those, and the position from which the next page continues.
 */
const EXAMINED_MAX = 10_000;

interface EventRow {
  position: number | null;
  body: string;
}

export interface EventFilters {
  /** Events after this position. */
  after: number;
  types: readonly string[] | null;
  resourceExternalIds: readonly string[] | null;
  /** As in the query: `gte..lte`. */
  occurredAt: string | null;
}

interface PlatformKey {
  platformId: number;
}

/** The positions of a platform without an event that has one. */
const NO_POSITIONS: Positions = { first: 1, last: 0 };

async function findAllPositions(db: Db, calls: PlatformKey[]): Promise<Positions[]> {
  const platformId = calls[0]?.platformId;
  const { rows } = await sql<Positions>`
    select p.position_last as last,
      coalesce((select min(position) from events where platform_id = ${platformId} and position is not null),
        p.position_last + 1) as first
    from event_positions p where p.platform_id = ${platformId}`.execute(db);
  return calls.map(() => rows[0] ?? NO_POSITIONS);
}

/** The first and last position of a platform. Concurrent calls share a statement. */
export const findPositions = gathered(findAllPositions, byPlatform);

/**
 * A page of events, at most `limit`, and the position after which the next page continues. Sends no statement if there is no event after
 * `after`.
 */
export async function readEvents(
  db: Db,
  platformId: number,
  { after, types, resourceExternalIds, occurredAt }: EventFilters,
  { last, limit }: { last: number; limit: number },
): Promise<{ items: RecordedEvent[]; next: number; has_more: boolean }> {
  if (after >= last) return { items: [], next: after, has_more: false };
  const until = Math.min(after + EXAMINED_MAX, last);
  const { gte, lte } = rangeOf(occurredAt ?? '..');
  const { rows } = await sql<EventRow>`
    select position, body from events
    where platform_id = ${platformId} and position > ${after} and position <= ${until}
      and (${types}::text[] is null or type = any(${types}))
      and (${resourceExternalIds}::text[] is null or resource_external_id = any(${resourceExternalIds}))
      and occurred_at between ${gte} and ${lte}
    order by position limit ${limit + 1}`.execute(db);
  const items = rows.slice(0, limit).map(toRecordedEvent);
  const next = rows.length > limit ? (items.at(-1)?.position as number) : until;
  return { items, next, has_more: next < last };
}

export async function findEvent(
  db: Db,
  platformId: number,
  eventId: string,
): Promise<RecordedEvent | undefined> {
  if (!isUuid(eventId)) return undefined;
  const row = await db
    .selectFrom('events')
    .select(['position', 'body'])
    .where('platform_id', '=', platformId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row && toRecordedEvent(row);
}

function toRecordedEvent({ position, body }: EventRow): RecordedEvent {
  return { position, ...(JSON.parse(body) as EventEnvelope) };
}
