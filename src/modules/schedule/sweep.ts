/** Makes what is due on all platforms, each by its own clock, in batches that a stopping process can wait for. */
import { type Db, isDatabaseAway } from '#infra/database/database';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import { type DueSource, type FailedDue, makeDueTransitions } from '#infra/time/due-transitions';
import { createPacer } from '#infra/time/pacer';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { findPlatformClocks } from '#modules/platforms';
import { type ScheduleDeps, SOURCES } from './sources.ts';

/** Platforms at a time, so that one with a slow risk source does not delay the others. */
const LANES = 4;
/** Batches until it is the next platform's turn. A batch is what a source makes together. */
const BATCHES_PER_TURN = 20;
/** After this time a sweep ends even with work left: a worker that ends no sweep for a minute counts as hanging. */
const SWEEP_MAX_MS = 10_000;
/** While requests are served, batches take three quarters of the time. */
const RESTS_PER_BATCH = 0.3;
/** How long a platform is skipped after a failure: an error a second would flood the log. */
const PAUSE_AFTER_FAILURE_MS = 30_000;

export interface Sweeper {
  /**
   * Makes what is due now, and returns whether anything is left. Resolves when everything is made, after about ten
   * seconds, or soon after `stop`.
   */
  sweep(): Promise<boolean>;
  stop(): void;
}

export interface SweeperOptions {
  db: Db;
  clock: Clock;
  clocks: PlatformClocks;
  log: Log;
  deps: ScheduleDeps;
  /** Whether this process has received requests recently. If so, batches leave some of the time to them. */
  isServing(): boolean;
  /** Called after transitions: events may wait for delivery. */
  onTransition(): void;
  sources?: readonly DueSource<ScheduleDeps>[];
}

/** The number of platforms with something due. @param now Real unix seconds; clocks of platforms can be ahead. */
export async function countDuePlatforms(db: Db, now: number): Promise<number> {
  return (await findDuePlatforms(SOURCES, db, now)).length;
}

async function findDuePlatforms(
  sources: readonly DueSource<ScheduleDeps>[],
  db: Db,
  now: number,
): Promise<number[]> {
  const found = await Promise.all(sources.map((source) => source.findPlatforms(db, now)));
  return [...new Set(found.flat())];
}

/**
 * Any number of processes may sweep concurrently, because each transition is checked again under the lock. Skips platforms on
 * which a call of the sandbox's clock makes transitions, because that call lists them in its response.
 */
export function createSweeper({ sources = SOURCES, ...options }: SweeperOptions): Sweeper {
  const { db, clock, clocks, log, deps, onTransition } = options;
  const pacer = createPacer({ ...options, restsPerWork: RESTS_PER_BATCH });
  const pausedUntilMs = new Map<number, number>();
  let isStopping = false;

  const findDue = async (): Promise<number[]> => {
    const found = await findDuePlatforms(sources, db, clocks.realNow());
    const nowMs = clock.elapsedMs();
    const due = found.filter((id) => (pausedUntilMs.get(id) ?? 0) <= nowMs);
    return due.length === 0 ? [] : idleOf(await findPlatformClocks(db, due));
  };
  const idleOf = (platforms: Awaited<ReturnType<typeof findPlatformClocks>>): number[] => {
    for (const { platformId, aheadSeconds } of platforms) clocks.learn(platformId, aheadSeconds);
    return platforms.filter(({ isMoving }) => !isMoving).map(({ platformId }) => platformId);
  };

  const pause = (platformId: number) =>
    pausedUntilMs.set(platformId, clock.elapsedMs() + PAUSE_AFTER_FAILURE_MS);
  const report = (platformId: number, error: unknown, due?: FailedDue['due']) =>
    log.error({ err: error as Error, platform_id: platformId, due }, 'due transitions failed');

  /** Whether the platform has more to do. `failed` has what failed in its earlier turns. */
  const takeTurn = async (platformId: number, failed: FailedDue[]): Promise<boolean> => {
    const failedBefore = failed.length;
    try {
      const options = { batchesMax: BATCHES_PER_TURN, pacer, failed };
      const now = clocks.now(platformId);
      const { made, hasMore } = await makeDueTransitions(sources, db, platformId, now, deps, options);
      if (made.length > 0) onTransition();
      for (const { due, error } of failed.slice(failedBefore)) report(platformId, error, due);
      if (hasMore) return true;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      report(platformId, error);
      pause(platformId);
    }
    return false;
  };

  return {
    async sweep() {
      const endsAtMs = clock.elapsedMs() + SWEEP_MAX_MS;
      const waiting = (await findDue()).map((platformId) => ({ platformId, failed: [] as FailedDue[] }));
      const lane = async () => {
        while (!isStopping && clock.elapsedMs() < endsAtMs) {
          const turn = waiting.shift();
          if (turn === undefined) return;
          const { platformId, failed } = turn;
          if (await takeTurn(platformId, failed)) waiting.push(turn);
          else if (failed.length > 0) pause(platformId);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return waiting.length > 0;
    },
    stop() {
      isStopping = true;
    },
  };
}
