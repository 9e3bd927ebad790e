/** Makes due transitions of some sources like the worker. */
import { type Due, type DueSource, makeDueTransitions } from '#infra/time/due-transitions';
import type { World } from './world.ts';

/** Makes all transitions of these sources that are due by an instant (unix seconds). Throws on failures. */
export async function makeDue<Deps, Resource extends string>(
  world: World,
  sources: readonly DueSource<Deps, Resource>[],
  until: number,
  deps: Deps,
): Promise<Due<Resource>[]> {
  const { db } = world.installation;
  const { made, failed } = await makeDueTransitions(sources, db, world.platform.platform_id, until, deps);
  for (const { error } of failed) throw error;
  return made;
}

/** The next transitions of the source that are due by an instant (unix seconds). */
export async function findDue<Resource extends string>(
  { installation: { db }, platform }: World,
  source: DueSource<never, Resource>,
  until: number,
): Promise<Due<Resource>[]> {
  return source.findNext(db, platform.platform_id, until, source.togetherMax, []);
}
