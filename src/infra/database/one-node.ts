/**
 * How a statement of one platform inserts rows on its node only. A cluster hands what a part of a statement has read or written to every
 * node if another part inserts it: then the loss of any node fails the statement.
 */
import { type RawBuilder, sql } from 'kysely';
import { type Db, isCluster } from './database.ts';

/**
 * Stands before the values that several parts of a statement read: `with input as ${inlineOnCluster(db)} (…)`. A cluster then writes
 * them into each part. On one machine they are read once.
 */
export const inlineOnCluster = (db: Db): RawBuilder<unknown> =>
  isCluster(db) ? sql`not materialized` : sql``;

export interface StoredPlatform {
  /** The first column to insert: the platform. */
  platformId: RawBuilder<number>;
  /** Joins a row that is stored, under the name `stored`. Empty on one machine. */
  join: RawBuilder<unknown>;
}

/**
 * The platform of rows that come from another part of the statement. A cluster inserts them on one node if the platform is that of a row
 * which is stored, if no column of the table has a default that changes, such as `clock_timestamp()` or an identity, and if the insert is
 * a part of the `with`: as the last part, it would be sent with the parts before it. `isStored` compares a row of `table`, as `stored`,
 * so that it finds exactly one for each row to insert. On one machine it is not looked up.
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
