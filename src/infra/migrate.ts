/** Brings a database to the schema this version needs. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { SERVICE_ROLE } from './database.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Runs the migrations that are missing, under an advisory lock that waits for another process doing the same. `owner`
 * is a login that owns the schema. Returns the names of those that ran; `say` hears of each.
 */
export async function migrate(owner: pg.ClientConfig, say: (sentence: string) => void): Promise<string[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await ensureServiceRole(client);
    const ran = await runner({
      dbClient: client,
      dir: MIGRATIONS_FOLDER,
      migrationsTable: MIGRATIONS_TABLE,
      direction: 'up',
      advisoryLockMode: 'wait',
      singleTransaction: false,
      logger: { debug: () => {}, info: () => {}, warn: say, error: say },
    });
    for (const { name } of ran) say(`Migrated the database: ${name}`);
    return ran.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

// The embedded database comes with the role; on a server of the operator's own it is made here, as a role to act as.
async function ensureServiceRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    'select pg_has_role(current_user, oid, $2) as is_member from pg_roles where rolname = $1',
    [SERVICE_ROLE, 'member'],
  );
  if (rows.length > 0) return;
  try {
    await client.query(`create role ${SERVICE_ROLE} nologin`);
    await client.query(`grant ${SERVICE_ROLE} to current_user`);
  } catch (error) {
    throw new StartRefused(
      `The login of DATABASE_URL may not create the role ${SERVICE_ROLE} that the service acts as; ` +
        `let an administrator run: create role ${SERVICE_ROLE} nologin; grant ${SERVICE_ROLE} to <login>. (${(error as Error).message})`,
    );
  }
}
