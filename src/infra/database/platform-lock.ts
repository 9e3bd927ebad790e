/** Advisory locks, for things that have no row. Each has a name and belongs to one platform. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Waits for the lock and holds it until the transaction ends. Transactions share it; with `alone`, one waits for all others. */
export async function lockOnPlatform(
  db: Db,
  platformId: number,
  name: string,
  mode: 'alone' | 'shared' = 'alone',
): Promise<void> {
  const lock = sql.raw(mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(hashtextextended(${`tradeline/${name}`}, ${platformId}))`.execute(db);
}
