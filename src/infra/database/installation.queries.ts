import { type Selectable, sql } from 'kysely';
import type { Db } from './database.ts';
import type { AppliedMigration } from './migrate.ts';
import type { Installation } from './schema.ts';

export async function findInstallation(db: Db): Promise<Selectable<Installation> | undefined> {
  return db.selectFrom('installation').selectAll().executeTakeFirst();
}

/** Writes the installation's row unless it exists, and returns the row that is stored. Processes may start at the same time. */
export async function insertInstallation(
  db: Db,
  row: { environment: string; master_key_check: Buffer; created_at: number },
): Promise<Selectable<Installation>> {
  await db
    .insertInto('installation')
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .execute();
  return db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
}

export async function listMigrations(db: Db): Promise<AppliedMigration[]> {
  const { rows } = await sql<AppliedMigration>`select name, works_from from schema_migrations`.execute(db);
  return rows;
}

/** The role that statements run as. */
export async function findCurrentRole(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_user::text as name`.execute(db);
  return rows[0]?.name ?? '';
}
