/** Locks of what has no row: each has a name, and is of one platform. PostgreSQL calls them advisory. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Waits for the lock, and holds it until the transaction ends. Any number of transactions can share one; `alone` waits for all. */
export async function lockOnPlatform(
  db: Db,
  platformId: number,
  name: string,
  mode: 'alone' | 'shared' = 'alone',
): Promise<void> {
  const lock = sql.raw(mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtextextended(${`tradeline/${name}`}, ${platformId}))`.execute(db);
}
