/** What works on rows of several platforms: on a cluster, they are on different machines. */
import { type RawBuilder, sql } from 'kysely';
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

/**
 * A condition on the platform of a row in background work: while a platform moves to another database, it is not written to.
 * Its work goes on where it moves to. A cluster reads the list first.
 */
export const isNotRelocating = (column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} <> all(array(select platform_id from platforms where relocating_since is not null))`;

/** Of which platforms a statement is: of all of them, or of one that it names as a value. */
export interface PlatformScope {
  /** A condition on a column, by default `platform_id`. */
  isWithin(column?: string): RawBuilder<boolean>;
  /** The platform of a row. */
  platformId: RawBuilder<number>;
}

/**
 * Runs a statement that locks what it finds and changes it: once for all platforms, and on a cluster once for each platform that `found`
 * answers, one after the other in its order.
 */
export async function onAllPlatforms<Row>(
  db: Db,
  found: RawBuilder<{ platform_id: number }>,
  act: (scope: PlatformScope) => Promise<Row[]>,
): Promise<Row[]> {
  if (!isCluster(db)) return act({ isWithin: () => sql`true`, platformId: sql.ref('platform_id') });
  const { rows: platforms } = await found.execute(db);
  const rows: Row[] = [];
  for (const { platform_id: id } of platforms)
    rows.push(
      ...(await act({
        isWithin: (column = 'platform_id') => sql`${sql.ref(column)} = ${id}`,
        platformId: sql`${id}::int`,
      })),
    );
  return rows;
}
