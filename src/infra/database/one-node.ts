/**
 * How a statement of one platform inserts rows on its node only. If one part of a statement inserts what another part has read or written,
 * a cluster sends those rows to every node, and the loss of any node fails the statement.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from './database.ts';

/**
 * Precedes the values that several parts of a statement read: `with input as ${inlineOnCluster(db)} (…)`. It makes a cluster write them
 * into each part. On one machine they are read once.
 */
export const inlineOnCluster = (db: Db): RawBuilder<unknown> =>
  isCluster(db) ? sql`not materialized` : sql``;

export interface StoredPlatform {
  /** The first column to insert: the platform. */
  platformId: RawBuilder<number>;
  /** Joins a stored row under the name `stored`. Empty on one machine. */
  join: RawBuilder<unknown>;
}

/**
 * The platform of rows that come from another part of the statement. A cluster inserts them on one node under three conditions: the
 * platform comes from a stored row; no column of the table has a volatile default, such as `clock_timestamp()` or an identity; and the
 * insert is a part of the `with`, because the last part would be sent with the parts before it. `isStored` is a condition on a row of
 * `table`, named `stored`, that finds exactly one for each row to insert. On one machine nothing is looked up.
 */
export function storedPlatform(
  db: Db,
  platformId: number,
  table: string,
  isStored: RawBuilder<unknown>,
): StoredPlatform {
  if (!isCluster(db)) return { platformId: sql`${platformId}::int`, join: sql`` };
  return {
    platformId: sql.ref('stored.platform_id'),
    join: sql`join ${sql.table(table)} stored on stored.platform_id = ${platformId} and ${isStored}`,
  };
}
