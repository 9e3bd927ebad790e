/** The positions of followers in the event stream, and the events after them. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from './database.ts';
import { isNotRelocating } from './each-platform.ts';

const unprepared = sql.raw(UNPREPARED);

/** One follower on one platform. */
export interface FollowerKey {
  platformId: number;
  follower: string;
}

/** A follower on a platform whose stream has new events. */
export interface FollowerToCall extends FollowerKey {
  /** The position of the last event of the stream. */
  streamEnd: number;
  /** False if it has read them all, but this is not noted yet. */
  isBehind: boolean;
}

/** The events of a platform that moves to another database are followed there. */
const isHere = isNotRelocating('p.platform_id');

/** The followers of these names on platforms with new events; with `isThorough`, also those behind on platforms that are noted as read. */
export async function findFollowersToCall(
  db: Db,
  followers: readonly string[],
  isThorough: boolean,
): Promise<FollowerToCall[]> {
  const { rows } = await sql<FollowerToCall>`
    select p.platform_id as "platformId", named.follower, p.position_last as "streamEnd",
      p.position_last > coalesce(f.position_last, 0) as "isBehind"
    from event_positions p
    cross join unnest(${followers}::text[]) with ordinality as named(follower, nth)
    left join event_followers f on f.platform_id = p.platform_id and f.follower = named.follower
    where (not p.is_followed ${isThorough ? sql`or p.position_last > coalesce(f.position_last, 0)` : sql``}) and ${isHere}
    order by p.platform_id, named.nth`.execute(db);
  return rows;
}

/** Notes which streams these followers have read to the end, so that later runs skip them until new events arrive. */
export async function markFollowed(db: Db, followers: readonly string[]): Promise<void> {
  await sql`
    update event_positions p set is_followed = true
    where not p.is_followed and ${isHere} and p.position_last <= (
      select min(coalesce(f.position_last, 0)) from unnest(${followers}::text[]) as named(follower)
      left join event_followers f on f.platform_id = p.platform_id and f.follower = named.follower
    )`.execute(db);
}

/** Locks and returns the follower's position; undefined while another process holds the lock. */
export async function lockFollowedPosition(
  db: Db,
  { platformId, follower }: FollowerKey,
): Promise<number | undefined> {
  await sql`
    insert into event_followers (platform_id, follower, position_last) values (${platformId}, ${follower}, 0)
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ position_last: number }>`
    select position_last from event_followers where platform_id = ${platformId} and follower = ${follower}
    for update skip locked`.execute(db);
  return rows[0]?.position_last;
}

export async function writeFollowedPosition(
  db: Db,
  { platformId, follower }: FollowerKey,
  position: number,
): Promise<void> {
  await sql`
    update event_followers set position_last = ${position}
    where platform_id = ${platformId} and follower = ${follower}`.execute(db);
}

/** The last position of the next `eventsMax` events, at most `takenMax` of which have these types; undefined if there are none. */
export async function findNextPosition(
  db: Db,
  platformId: number,
  {
    after,
    types,
    eventsMax,
    takenMax,
  }: { after: number; types: readonly string[]; eventsMax: number; takenMax: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ position_last: number | null }>`
    select max(position) as position_last from (
      select position, count(*) filter (where type = any(${types}::text[])) over (order by position) as taken
      from (
        select position, type from events where platform_id = ${platformId} and position > ${after}
        order by position limit ${eventsMax}
      ) next
    ) counted where taken <= ${takenMax} ${unprepared}`.execute(db);
  return rows[0]?.position_last ?? undefined;
}

/** An event as its followers get it. */
export interface FollowedEvent<Data = Record<string, unknown>> {
  event_id: string;
  type: string;
  resource_external_id: string;
  /** Unix seconds. */
  occurred_at: number;
  /** The data of its body. */
  data: Data;
}

/** The events of these types, in the order of the stream. */
export async function listFollowedEvents(
  db: Db,
  platformId: number,
  { after, upTo, types }: { after: number; upTo: number; types: readonly string[] },
): Promise<FollowedEvent[]> {
  const { rows } = await sql<FollowedEvent>`
    select event_id, type, resource_external_id, occurred_at, body::json -> 'data' as data
    from events
    where platform_id = ${platformId} and position > ${after} and position <= ${upTo} and type = any(${types}::text[])
    order by position ${unprepared}`.execute(db);
  return rows;
}
