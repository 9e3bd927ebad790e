/** A platform that relocates to another database is read-only, from its export until an operator confirms or cancels the relocation. */
import type { Db } from '#infra/database/database';

/** Begins the relocation at `now` (Unix seconds). Returns false if it has already begun. */
export async function beginRelocation(db: Db, platformId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('platforms')
    .set({ relocating_since: now })
    .where('platform_id', '=', platformId)
    .where('relocating_since', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores the snapshot that the export has copied. Rows written after it are missing in the new database. */
export async function keepSnapshot(db: Db, platformId: number, snapshot: string): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ exported_snapshot: snapshot })
    .where('platform_id', '=', platformId)
    .execute();
}

/** Ends the relocation: the platform accepts writes again, or for the first time in its new database. */
export async function endRelocation(db: Db, platformId: number): Promise<void> {
  await db
    .updateTable('platforms')
    .set({ relocating_since: null, exported_snapshot: null, clock_moving_until: null })
    .where('platform_id', '=', platformId)
    .execute();
}
