/** Due transitions of some sources, made as the worker makes them. */
import { type Due, type DueSource, makeDueTransitions } from '#infra/time/due-transitions';
import type { World } from './world.ts';

/** Makes everything of these sources that is due by an instant (unix seconds). Throws what failed. */
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

/** What the source makes next, of what is due by an instant (unix seconds). */
export async function findDue<Resource extends string>(
  { installation: { db }, platform }: World,
  source: DueSource<never, Resource>,
  until: number,
): Promise<Due<Resource>[]> {
  return source.findNext(db, platform.platform_id, until, source.togetherMax, []);
}
