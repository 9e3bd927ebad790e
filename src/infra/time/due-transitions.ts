/**
 * What happens by itself when its time has come: found by instant, in one order over all kinds, each in transactions of
 * its own. The worker runs it up to now; the clock of a sandbox up to the instant it is set to.
 */
import type { Db } from '../database/database.ts';

/** One thing that is due. */
export interface Due {
  /** Unix seconds. */
  dueAt: number;
  resource: 'facility' | 'order';
  externalId: string;
  /** What will be tried, in the lifecycle's word. */
  trigger: string;
}

/** A kind of things that fall due. `Surroundings` is whatever making the move needs beside the database. */
export interface DueSource<Deps> {
  /** The platforms (of all) where something is due by their own clock, when the real one shows `now`. */
  findPlatforms(db: Db, now: number): Promise<number[]>;
  /** The earliest that is due by `until` on the platform. */
  findNext(db: Db, platformId: number, until: number): Promise<Due | undefined>;
  /**
   * Makes the move as of its instant, or finds under the lock that it is no longer due. Either way it is not found again
   * for the same instant.
   */
  make(db: Db, platformId: number, due: Due, deps: Deps): Promise<void>;
}

/**
 * Makes everything due by `until` in the order of the instants; at the same instant in the order of the sources. What a
 * move makes due in turn takes its place in that order. Answers what was made, or with `movesMax` the first so many.
 */
export async function makeDueTransitions<Deps>(
  sources: readonly DueSource<Deps>[],
  db: Db,
  platformId: number,
  until: number,
  deps: Deps,
  transitionsMax = Number.POSITIVE_INFINITY,
): Promise<Due[]> {
  const made: Due[] = [];
  while (made.length < transitionsMax) {
    const found = await Promise.all(sources.map((source) => source.findNext(db, platformId, until)));
    let next: { due: Due; source: DueSource<Deps> } | undefined;
    found.forEach((due, index) => {
      if (due && (!next || due.dueAt < next.due.dueAt))
        next = { due, source: sources[index] as DueSource<Deps> };
    });
    if (!next) return made;
    const { due, source } = next;
    const last = made.at(-1);
    if (last && isSame(last, due))
      throw new Error(`The move ${due.trigger} of ${due.resource} is due again after it was made.`);
    await source.make(db, platformId, due, deps);
    made.push(due);
  }
  return made;
}

function isSame(one: Due, other: Due): boolean {
  return (
    one.dueAt === other.dueAt &&
    one.resource === other.resource &&
    one.externalId === other.externalId &&
    one.trigger === other.trigger
  );
}
