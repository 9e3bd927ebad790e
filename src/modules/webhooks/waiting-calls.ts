/** Calls that wait for events. In this process, all waiting calls of a platform share one statement. */
import type { Db } from '#infra/database/database';
import { systemClock } from '#infra/time/clock';
import { Problem } from '#kernel/problem';
import type { Positions } from './event-cursor.rules.ts';
import { findPositions } from './event-list.queries.ts';

const CHECK_EVERY_MS = 100;
/** The limit for a platform in this process: the overload protection does not refuse waiting calls. */
export const WAITING_MAX = 64;
/** Slots become free all the time, and a call that finds events needs none. */
const RETRY_AFTER_SECONDS = 1;

interface Wait {
  /** The call waits for an event after this position. */
  after: number;
  /** By the monotonic clock of the system. */
  untilMs: number;
  signal: AbortSignal;
}

/** Resolves to the positions once an event follows `after`; to null at `untilMs`, and once the signal aborts. */
type UntilNewer = (wait: Wait) => Promise<Positions | null>;

interface WaitingCall {
  after: number;
  untilMs: number;
  resolve(positions: Positions | null): void;
  reject(error: unknown): void;
}

/** Each installation in this process has its own `Db`. */
const platformsOf = new WeakMap<Db, Map<number, PlatformWaits>>();

/**
 * Runs `work` in one of the platform's slots for waiting calls. Throws TOO_MANY_REQUESTS if all slots are taken. A call keeps its slot
 * while it reads the events that it waited for, because it may wait again.
 */
export async function whileWaiting<Result>(
  db: Db,
  platformId: number,
  work: (untilNewer: UntilNewer) => Promise<Result>,
): Promise<Result> {
  const platforms = platformsOf.get(db) ?? new Map<number, PlatformWaits>();
  platformsOf.set(db, platforms);
  const waits = platforms.get(platformId) ?? new PlatformWaits(() => findPositions(db, { platformId }));
  if (waits.slotsTaken >= WAITING_MAX)
    throw new Problem('TOO_MANY_REQUESTS', {
      error: `${WAITING_MAX} calls of this platform are already waiting for events`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  platforms.set(platformId, waits);
  waits.slotsTaken++;
  try {
    return await work((wait) => waits.untilNewer(wait));
  } finally {
    waits.slotsTaken--;
    if (waits.slotsTaken === 0) platforms.delete(platformId);
  }
}

class PlatformWaits {
  slotsTaken = 0;
  readonly #find: () => Promise<Positions>;
  readonly #waiting = new Set<WaitingCall>();
  /** Set while a check is due or under way. */
  #timer: NodeJS.Timeout | undefined;

  constructor(find: () => Promise<Positions>) {
    this.#find = find;
  }

  untilNewer({ after, untilMs, signal }: Wait): Promise<Positions | null> {
    // Also if the filters of the call leave out all new events.
    if (signal.aborted || systemClock.elapsedMs() >= untilMs) return Promise.resolve(null);
    const { promise, resolve, reject } = Promise.withResolvers<Positions | null>();
    const call: WaitingCall = { after, untilMs, resolve, reject };
    const end = () => resolve(null);
    signal.addEventListener('abort', end);
    this.#waiting.add(call);
    this.#checkSoon();
    return promise.finally(() => {
      signal.removeEventListener('abort', end);
      this.#waiting.delete(call);
    });
  }

  #checkSoon(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    this.#timer = setTimeout(async () => {
      await this.#check();
      this.#timer = undefined;
      this.#checkSoon();
    }, CHECK_EVERY_MS);
  }

  async #check(): Promise<void> {
    if (this.#waiting.size === 0) return;
    try {
      const positions = await this.#find();
      const nowMs = systemClock.elapsedMs();
      for (const { after, untilMs, resolve } of this.#waiting)
        if (positions.last > after) resolve(positions);
        else if (nowMs >= untilMs) resolve(null);
    } catch (error) {
      for (const { reject } of this.#waiting) reject(error);
    }
  }
}
