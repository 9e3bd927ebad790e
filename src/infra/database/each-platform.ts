/** What works on rows of several platforms: on a cluster, they are on different machines. */
import { type Db, isCluster } from './database.ts';

/**
 * Acts on rows of several platforms, one platform after the other, in the order of their ids. A statement that looks across platforms
 * finds the rows, without a lock; one that locks or changes rows names its platform, so that a cluster sends it to one node, and asks
 * again what it found.
 */
export async function onEachPlatform<Found extends { platform_id: number }, Row>(
  found: readonly Found[],
  act: (platformId: number, found: Found[]) => Promise<Row[]>,
): Promise<Row[]> {
  const byPlatform = [...Map.groupBy(found, ({ platform_id }) => platform_id)];
  const rows: Row[] = [];
  for (const [platformId, ofPlatform] of byPlatform.sort(([one], [other]) => one - other))
    rows.push(...(await act(platformId, ofPlatform)));
  return rows;
}

/**
 * Acts on rows of several platforms: on all of them at once, and on a cluster on one platform after the other, in the order of their
 * ids. `unnestRows` names the platform of items that have the same one as a value.
 */
export async function onEachShard<Found extends { platform_id: number }, Row>(
  db: Db,
  found: readonly Found[],
  act: (found: readonly Found[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (found.length === 0) return [];
  return isCluster(db) ? onEachPlatform(found, (_, ofPlatform) => act(ofPlatform)) : act(found);
}
