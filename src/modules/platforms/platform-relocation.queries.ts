/** A platform that moves to another database is only read, from its export until an operator says that the move is done or given up. */
import type { Db } from '#infra/database/database';

/** Begins the move at `now` (Unix seconds). Returns false where it has begun before. */
export async function beginRelocation(db: Db, platformId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platforms')
    .set({ relocating_since: now })
    .where('platform_id', '=', platformId)
    .where('relocating_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps what the export has copied: what was written behind it is not where the platform has moved to. */
export async function keepSnapshot(db: Db, platformId: number, snapshot: string): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ exported_snapshot: snapshot })
    .where('platform_id', '=', platformId)
    .execute();
}

/** The platform can be written again, or for the first time where it has moved to. */
export async function endRelocation(db: Db, platformId: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ relocating_since: null, exported_snapshot: null, clock_moving_until: null })
    .where('platform_id', '=', platformId)
    .execute();
}
