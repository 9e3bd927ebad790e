/** Statements on rows of several platforms. On a cluster, these rows are on different machines. */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from './database.ts';

/**
 * Acts on rows of several platforms, one platform after the other, in the order of their ids. A first statement finds the rows across
 * platforms, without a lock. The one that locks or changes them names its platform, so that a cluster sends it to one node, and repeats the
 * condition.
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
 * Acts on rows of several platforms in one statement; on a cluster, in one statement per platform, in the order of their ids. For items of
 * one platform, `unnestRows` names the platform as a value.
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
 * A condition on the platform of a row in background work: while a platform moves to another database, nothing writes to it here. Its
 * background work continues in the other database. A cluster reads the list of such platforms first.
 */
export const isNotRelocating = (column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} <> all(array(select platform_id from platforms where relocating_since is not null))`;

/** The platforms that a statement covers: all of them, or one that it names as a value. */
export interface PlatformScope {
  /** A condition on a column, by default `platform_id`. */
  isWithin(column?: string): RawBuilder<boolean>;
  /** The platform of a row. */
  platformId: RawBuilder<number>;
}

/**
 * Runs a statement that locks and changes the rows that it finds: once for all platforms; on a cluster, once for each platform that `found`
 * returns, in that order.
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
