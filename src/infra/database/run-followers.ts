/**
 * Following the event stream: what reacts to events without the knowledge of those who record them. The work and the position
 * behind it are one transaction, so that each event is worked on once.
 */
import type { Db } from './database.ts';
import {
  type FollowedEvent,
  type FollowerKey,
  findFollowersToCall,
  findNextPosition,
  listFollowedEvents,
  lockFollowedPosition,
  markFollowed,
  writeFollowedPosition,
} from './event-followers.queries.ts';
import { inTransaction } from './transaction.ts';

export interface EventFollower {
  /** Its position is stored under this name. On a platform where it has none it begins with the first event. */
  follower: string;
  types: readonly string[];
  /** Works on the next events in the transaction that moves the position. Returns what it did as a number. */
  take(db: Db, platformId: number, events: FollowedEvent[]): Promise<number>;
}

const EVENTS_MAX = 500;

/**
 * Lets each follower work on all events so far, on every platform with new ones. Returns the sum of what they did. With
 * `isThorough` it looks at every platform: a process of the version before notes no new events.
 */
export async function runFollowers(
  db: Db,
  followers: readonly EventFollower[],
  { isThorough = false } = {},
): Promise<number> {
  const byName = new Map(followers.map((each) => [each.follower, each]));
  const names = [...byName.keys()];
  const found = await findFollowersToCall(db, names, isThorough);
  let done = 0;
  for (const { isBehind, ...key } of found) {
    const follower = byName.get(key.follower) as EventFollower;
    while (isBehind) {
      const batch = await inTransaction(db, (transaction) => takeNext(transaction, key, follower));
      if (batch === null) break;
      done += batch;
    }
  }
  if (found.length > 0) await markFollowed(db, names);
  return done;
}

/** Null where there are no further events, or another process works on them. */
async function takeNext(db: Db, key: FollowerKey, { types, take }: EventFollower): Promise<number | null> {
  const { platformId } = key;
  const after = await lockFollowedPosition(db, key);
  if (after === undefined) return null;
  const upTo = await findNextPosition(db, platformId, { after, eventsMax: EVENTS_MAX });
  if (upTo === undefined) return null;
  const events = await listFollowedEvents(db, platformId, { after, upTo, types });
  const done = events.length === 0 ? 0 : await take(db, platformId, events);
  await writeFollowedPosition(db, key, upTo);
  return done;
}
