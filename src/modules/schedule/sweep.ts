/** Makes what is due on all platforms, each by its own clock, in batches that a stopping process can wait for. */
import { type Db, isDatabaseAway } from '#infra/database/database';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import { type DueSource, makeDueTransitions } from '#infra/time/due-transitions';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { findPlatformClocks } from '#modules/platforms';
import { type ScheduleDeps, SOURCES } from './sources.ts';

/** Platforms at a time, so that one with a slow risk source does not delay the others. */
const LANES = 4;
/** Then it is the next platform's turn. */
const TRANSITIONS_PER_TURN = 20;
/** How long a platform is skipped after a failure: an error a second would flood the log. */
const PAUSE_AFTER_FAILURE_MS = 30_000;

export interface Sweeper {
  /** Makes everything that is due now. Resolves when nothing is left, or soon after `stop`. */
  sweep(): Promise<void>;
  stop(): void;
}

export interface SweeperOptions {
  db: Db;
  clock: Clock;
  clocks: PlatformClocks;
  log: Log;
  deps: ScheduleDeps;
  /** Called after transitions: events may wait for delivery. */
  onTransition(): void;
  sources?: readonly DueSource<ScheduleDeps>[];
}

/**
 * Any number of processes may sweep at once: each transition is checked again under the lock. What a call of the sandbox's
 * clock makes due is left to that call, whose answer lists it.
 */
export function createSweeper({ sources = SOURCES, ...options }: SweeperOptions): Sweeper {
  const { db, clock, clocks, log, deps, onTransition } = options;
  const pausedUntilMs = new Map<number, number>();
  let isStopping = false;

  const findDue = async (): Promise<number[]> => {
    const found = await Promise.all(sources.map((source) => source.findPlatforms(db, clocks.realNow())));
    const nowMs = clock.elapsedMs();
    const due = [...new Set(found.flat())].filter((id) => (pausedUntilMs.get(id) ?? 0) <= nowMs);
    return due.length === 0 ? [] : idleOf(await findPlatformClocks(db, due));
  };
  const idleOf = (platforms: Awaited<ReturnType<typeof findPlatformClocks>>): number[] => {
    for (const { platformId, aheadSeconds } of platforms) clocks.learn(platformId, aheadSeconds);
    return platforms.filter(({ isMoving }) => !isMoving).map(({ platformId }) => platformId);
  };

  /** Whether the platform has more to do. */
  const takeTurn = async (platformId: number): Promise<boolean> => {
    try {
      const now = clocks.now(platformId);
      const made = await makeDueTransitions(sources, db, platformId, now, deps, TRANSITIONS_PER_TURN);
      if (made.length > 0) onTransition();
      pausedUntilMs.delete(platformId);
      return made.length === TRANSITIONS_PER_TURN;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error as Error, platform_id: platformId }, 'due transitions failed');
      pausedUntilMs.set(platformId, clock.elapsedMs() + PAUSE_AFTER_FAILURE_MS);
      return false;
    }
  };

  return {
    async sweep() {
      const waiting = await findDue();
      const lane = async () => {
        while (!isStopping) {
          const platformId = waiting.shift();
          if (platformId === undefined) return;
          if (await takeTurn(platformId)) waiting.push(platformId);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    },
    stop() {
      isStopping = true;
    },
  };
}
