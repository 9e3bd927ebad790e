/**
 * Transitions that fall due at an instant. The worker makes those due by now; a sandbox clock, those due by the instant
 * it is set to.
 */
import { type Db, isDatabaseAway } from '../database/database.ts';
import { type Pacer, UNPACED } from './pacer.ts';

/** A transition that is due. */
export interface Due<Resource extends string = string> {
  /** Unix seconds. */
  dueAt: number;
  /** The kind of resource, as its module names it. */
  resource: Resource;
  externalId: string;
  /** The trigger in the resource's lifecycle. */
  trigger: string;
}

/** A kind of transition that falls due. `Deps` are the dependencies of making it, in addition to the database. */
export interface DueSource<Deps, Resource extends string = string> {
  /** The platforms with a transition due by their own clock, when the real clock shows `now` (Unix seconds). */
  findPlatforms(db: Db, now: number): Promise<number[]>;
  /**
   * The platform's earliest transitions due by `until` (Unix seconds) without those of `except`: at most `countMax`, all due at the same
   * instant, in the order of their keys.
   */
  findNext(
    db: Db,
    platformId: number,
    until: number,
    countMax: number,
    except: readonly Due<Resource>[],
  ): Promise<Due<Resource>[]>;
  /** How many transitions of one instant `make` takes. They are one transaction. */
  togetherMax: number;
  /** While requests are served, the worker makes at most this many transitions a second. */
  perSecondMax?: number;
  /**
   * Makes the transitions as of their instant, except those that are no longer due under the lock. Either way, `findNext`
   * must not return them again. Returns what happened.
   */
  make(
    db: Db,
    platformId: number,
    due: readonly Due<Resource>[],
    deps: Deps,
  ): Promise<readonly Due<Resource>[]>;
}

/** The part of a source that makes one transition at a time. One that was no longer due counts as made. */
export function oneByOne<Deps, Resource extends string>(
  make: (db: Db, platformId: number, due: Due<Resource>, deps: Deps) => Promise<void>,
): Pick<DueSource<Deps, Resource>, 'togetherMax' | 'make'> {
  return {
    togetherMax: 1,
    async make(db, platformId, all, deps) {
      for (const due of all) await make(db, platformId, due, deps);
      return all;
    },
  };
}

/** A transition that could not be made. */
export interface FailedDue<Resource extends string = string> {
  due: Due<Resource>;
  error: unknown;
}

/**
 * For a source that makes several transitions together, this many batches of one instant are found in one query, and made before anything
 * that they make due themselves. At a midnight with 100,000 invoices, querying every source before each batch was an eighth of the work.
 */
const BATCHES_FOUND_MAX = 10;

/** More failures than this have a common cause: the platform waits. */
const FAILURES_MAX = 20;

export interface DueOptions<Resource extends string> {
  /** The maximum number of calls of `make`. */
  batchesMax?: number;
  /** Runs each batch. */
  pacer?: Pacer;
  /** Transitions that failed before and are skipped. New failures are added. */
  failed?: FailedDue<Resource>[];
}

/**
 * Makes every transition due by `until` (Unix seconds), in the order of their instants; at equal instants, in the order of `sources`.
 * Transitions that become due during the run are included. One that fails is skipped and blocks no other: those of the same batch are then
 * made one by one. A transition counts as failed if it is due again right after it was made, at an instant before `until`. Throws if the
 * database is away.
 */
export async function makeDueTransitions<Deps, Resource extends string>(
  sources: readonly DueSource<Deps, Resource>[],
  db: Db,
  platformId: number,
  until: number,
  deps: Deps,
  { batchesMax = Number.POSITIVE_INFINITY, pacer = UNPACED, failed = [] }: DueOptions<Resource> = {},
): Promise<{ made: Due<Resource>[]; failed: FailedDue<Resource>[]; hasMore: boolean }> {
  const made: Due<Resource>[] = [];
  let before: readonly Due<Resource>[] = [];
  for (let batch = 0; batch < batchesMax; ) {
    if (failed.length >= FAILURES_MAX) return { made, failed, hasMore: false };
    const except = failed.map((each) => each.due);
    const found = await findEarliest(sources, {
      db,
      platformId,
      until,
      except,
      batchesMax: batchesMax - batch,
    });
    if (!found) return { made, failed, hasMore: false };
    const { source, due } = found;
    const { perSecondMax = Number.POSITIVE_INFINITY } = source;
    const periodMsMin = ({ length }: Due[]) => (length / perSecondMax) * 1_000;
    const repeated = due.filter((each) => before.some((other) => isSame(each, other)));
    // Within the current second, a request can make it due again: then the next call makes it.
    if (repeated[0]?.dueAt === until) return { made, failed, hasMore: false };
    failed.push(...repeated.map((each) => ({ due: each, error: repetition(each) })));
    const fresh = repeated.length > 0 ? [] : due;
    for (let at = 0; at < fresh.length && failed.length < FAILURES_MAX; at += source.togetherMax, batch++) {
      const together = fresh.slice(at, at + source.togetherMax);
      const make = () => makeTogether(source, db, platformId, together, deps, failed);
      made.push(...(await pacer.run(make, periodMsMin)));
      before = together;
    }
  }
  return { made, failed, hasMore: true };
}

/** The due transitions of the source with the earliest instant. */
interface FoundDue<Deps, Resource extends string> {
  source: DueSource<Deps, Resource>;
  due: readonly Due<Resource>[];
}

interface DueQuestion<Resource extends string> {
  db: Db;
  platformId: number;
  until: number;
  except: readonly Due<Resource>[];
  batchesMax: number;
}

async function findEarliest<Deps, Resource extends string>(
  sources: readonly DueSource<Deps, Resource>[],
  { db, platformId, until, except, batchesMax }: DueQuestion<Resource>,
): Promise<FoundDue<Deps, Resource> | undefined> {
  const countMaxOf = ({ togetherMax }: DueSource<Deps, Resource>) =>
    togetherMax === 1 ? 1 : togetherMax * Math.min(BATCHES_FOUND_MAX, batchesMax);
  const found = await Promise.all(
    sources.map(async (source) => ({
      source,
      due: await source.findNext(db, platformId, until, countMaxOf(source), except),
    })),
  );
  const instantOf = ({ due }: FoundDue<Deps, Resource>) => due[0]?.dueAt ?? Number.POSITIVE_INFINITY;
  return found
    .filter(({ due }) => due.length > 0)
    .reduce<FoundDue<Deps, Resource> | undefined>(
      (first, each) => (first === undefined || instantOf(each) < instantOf(first) ? each : first),
      undefined,
    );
}

async function makeTogether<Deps, Resource extends string>(
  source: DueSource<Deps, Resource>,
  db: Db,
  platformId: number,
  due: readonly Due<Resource>[],
  deps: Deps,
  failed: FailedDue<Resource>[],
): Promise<Due<Resource>[]> {
  try {
    return [...(await source.make(db, platformId, due, deps))];
  } catch (error) {
    const [only, ...others] = due;
    if (only === undefined || isDatabaseAway(error)) throw error;
    if (others.length === 0) {
      failed.push({ due: only, error });
      return [];
    }
  }
  const made: Due<Resource>[] = [];
  for (const each of due) {
    made.push(...(await makeTogether(source, db, platformId, [each], deps, failed)));
    if (failed.length >= FAILURES_MAX) break;
  }
  return made;
}

const repetition = ({ trigger, resource }: Due) =>
  new Error(`The transition ${trigger} of ${resource} is due again after it was made.`);

/** Whether they are the same transition of the same resource at the same instant. */
export function isSame(one: Due, other: Due): boolean {
  return (
    one.dueAt === other.dueAt &&
    one.resource === other.resource &&
    one.externalId === other.externalId &&
    one.trigger === other.trigger
  );
}
