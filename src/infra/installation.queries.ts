import type { Selectable } from 'kysely';
import type { Db } from './database.ts';
import type { Installation } from './schema.ts';

export async function findInstallation(db: Db): Promise<Selectable<Installation> | undefined> {
  return db.selectFrom('installation').selectAll().executeTakeFirst();
}

/** Two processes may start on a new database at once: the first one's row stays. */
export async function insertInstallation(
  db: Db,
  row: { environment: string; master_key_check: Buffer; created_at: number },
): Promise<void> {
  await db
    .insertInto('installation')
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .execute();
}
