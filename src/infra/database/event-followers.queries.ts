/** The positions of followers in the event stream, and the events after them. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from './database.ts';

const unprepared = sql.raw(UNPREPARED);

/** One follower on one platform. */
export interface FollowerKey {
  platformId: number;
  follower: string;
}

/** The followers of these names with events after their position. Reads all platforms. */
export async function findFollowersBehind(db: Db, followers: readonly string[]): Promise<FollowerKey[]> {
  const { rows } = await sql<FollowerKey>`
    select p.platform_id as "platformId", named.follower from event_positions p
    cross join unnest(${followers}::text[]) with ordinality as named(follower, nth)
    left join event_followers f on f.platform_id = p.platform_id and f.follower = named.follower
    where p.position_last > coalesce(f.position_last, 0)
    order by p.platform_id, named.nth`.execute(db);
  return rows;
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

/** The last position of the next `eventsMax` events, of which `takenMax` are of these types; undefined where there are none. */
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
  /** Of its body. */
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
