/**
 * Transitions that fall due at an instant. The worker makes those due by now; a sandbox clock, those due by the instant
 * it is set to.
 */
import type { Db } from '../database/database.ts';

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

/** A kind of transition that falls due. `Deps` is what making it needs besides the database. */
export interface DueSource<Deps, Resource extends string = string> {
  /** The platforms with a transition due by their own clock, when the real clock shows `now` (Unix seconds). */
  findPlatforms(db: Db, now: number): Promise<number[]>;
  /** The platform's earliest transition due by `until` (Unix seconds). */
  findNext(db: Db, platformId: number, until: number): Promise<Due<Resource> | undefined>;
  /**
   * Makes the transition as of its instant, in transactions of its own, unless it is no longer due under the lock.
   * Either way, `findNext` must not return it again.
   */
  make(db: Db, platformId: number, due: Due<Resource>, deps: Deps): Promise<void>;
}

/**
 * Makes every transition due by `until` (Unix seconds), in the order of their instants; at equal instants, in the order
 * of `sources`. Transitions that become due on the way are included. Returns those made, at most `transitionsMax`.
 * Throws where a source returns the same transition twice.
 */
export async function makeDueTransitions<Deps, Resource extends string>(
  sources: readonly DueSource<Deps, Resource>[],
  db: Db,
  platformId: number,
  until: number,
  deps: Deps,
  transitionsMax = Number.POSITIVE_INFINITY,
): Promise<Due<Resource>[]> {
  const made: Due<Resource>[] = [];
  while (made.length < transitionsMax) {
    const found = await Promise.all(sources.map((source) => source.findNext(db, platformId, until)));
    let next: { due: Due<Resource>; source: DueSource<Deps, Resource> } | undefined;
    found.forEach((due, index) => {
      if (due && (!next || due.dueAt < next.due.dueAt))
        next = { due, source: sources[index] as DueSource<Deps, Resource> };
    });
    if (!next) return made;
    const { due, source } = next;
    const last = made.at(-1);
    if (last && isSame(last, due))
      throw new Error(`The transition ${due.trigger} of ${due.resource} is due again after it was made.`);
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
