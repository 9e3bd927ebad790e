/**
 * Followers of the event stream: work that reacts to events, of which the code that records them knows nothing. The work and the new
 * position are one transaction, so each event is processed once.
 */
import { type Pacer, UNPACED } from '../time/pacer.ts';
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
  /** Its position is stored under this name. On a platform without a stored position it begins with the first event. */
  follower: string;
  types: readonly string[];
  /** Processes the next events in the transaction that moves the position. Returns a count of what it did. */
  take(db: Db, platformId: number, events: FollowedEvent[]): Promise<number>;
}

/** The limits of one step: events of the stream, and events of the follower's types, which take much longer to process than to read. */
const EVENTS_MAX = 500;
const TAKEN_MAX = 64;

export interface RunOptions {
  pacer?: Pacer;
  /** Ends the run after the events in progress. */
  signal?: AbortSignal;
  /** Whether to check every platform, because a process of the previous version does not note new events. */
  isThorough?: boolean;
}

/**
 * Lets each follower process all events so far, on every platform with new ones. Followers take turns, so one that is far behind delays no
 * other. Events recorded during the run are left to the next: under steady load this run would never end, and each of its transactions
 * would find only a few events. Returns the sum of the followers' counts.
 */
export async function runFollowers(
  db: Db,
  followers: readonly EventFollower[],
  { pacer = UNPACED, signal, isThorough = false }: RunOptions = {},
): Promise<number> {
  const byName = new Map(followers.map((each) => [each.follower, each]));
  const names = [...byName.keys()];
  const found = await findFollowersToCall(db, names, isThorough);
  const behind = found.filter(({ isBehind }) => isBehind);
  let done = 0;
  for (let key = behind.shift(); key && !signal?.aborted; key = behind.shift()) {
    const { platformId, streamEnd } = key;
    const follower = byName.get(key.follower) as EventFollower;
    const batch = await pacer.run(() =>
      inTransaction(db, (transaction) => takeNext(transaction, platformId, follower)),
    );
    if (batch === null) continue;
    done += batch.done;
    if (batch.upTo < streamEnd) behind.push(key);
  }
  if (found.length > 0) await markFollowed(db, names);
  return done;
}

/** Null if there are no further events, or if another process is working on them. */
async function takeNext(
  db: Db,
  platformId: number,
  { follower, types, take }: EventFollower,
): Promise<{ done: number; upTo: number } | null> {
  const key: FollowerKey = { platformId, follower };
  const after = await lockFollowedPosition(db, key);
  if (after === undefined) return null;
  const next = { after, types, eventsMax: EVENTS_MAX, takenMax: TAKEN_MAX };
  const upTo = await findNextPosition(db, platformId, next);
  if (upTo === undefined) return null;
  const events = await listFollowedEvents(db, platformId, { after, upTo, types });
  const done = events.length === 0 ? 0 : await take(db, platformId, events);
  await writeFollowedPosition(db, key, upTo);
  return { done, upTo };
}
