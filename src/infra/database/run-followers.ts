/**
 * Following the event stream: what reacts to events without the knowledge of those who record them. The work and the position
 * behind it are one transaction, so that each event is worked on once.
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
  /** Its position is stored under this name. On a platform where it has none it begins with the first event. */
  follower: string;
  types: readonly string[];
  /** Works on the next events in the transaction that moves the position. Returns what it did as a number. */
  take(db: Db, platformId: number, events: FollowedEvent[]): Promise<number>;
}

/** Of the stream, and of the follower's types: what a transaction writes about each takes much longer than reading it. */
const EVENTS_MAX = 500;
const TAKEN_MAX = 64;

export interface RunOptions {
  pacer?: Pacer;
  /** Ends after the events that are being worked on. */
  signal?: AbortSignal;
  /** Whether to look at every platform: a process of the version before notes no new events. */
  isThorough?: boolean;
}

/**
 * Lets each follower work on all events so far, on every platform with new ones, in turns: one that is far behind holds up no
 * other. What is recorded while it runs is left to the next: under a steady load this one would never end, and each of its
 * transactions would find a few events. Returns the sum of what they did.
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

/** Null where there are no further events, or another process works on them. */
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
