/** Migrates a database to the schema of this version. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { keepDistributed, prepareMigration } from './citus.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migrations';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs the missing migrations under an advisory lock, which other processes wait for. `owner` is a login that owns the
 * schema. Calls `report` with a sentence for each migration and returns their names. Throws StartRefused.
 */
export async function migrate(owner: pg.ClientConfig, report: (sentence: string) => void): Promise<string[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await assertMayCreate(client);
    await prepareMigration(client);
    const ran = await runner({
      dbClient: client,
      dir: MIGRATIONS_FOLDER,
      migrationsTable: MIGRATIONS_TABLE,
      direction: 'up',
      advisoryLockMode: 'wait',
      singleTransaction: false,
      logger: { debug: () => {}, info: () => {}, warn: report, error: () => {} },
    });
    for (const { name } of ran) report(`Migrated the database: ${name}`);
    await keepDistributed(client, report);
    return ran.map(({ name }) => name);
  } catch (error) {
    throw refusalOf(error as pg.DatabaseError, client);
  } finally {
    await client.end();
  }
}

/** Throws StartRefused unless the database has every migration of this version. Changes nothing. */
export async function assertMigrated(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `select where to_regclass('${MIGRATIONS_TABLE}') is not null`,
    );
    if (tables.length === 0) throw notSetUp();
    const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
    const missing = missingMigrations(rows.map(({ name }) => name));
    if (missing.length > 0)
      throw new StartRefused(
        `The database is of an earlier version (it lacks ${missing.join(', ')}): run \`tradeline migrate\`, or start the service of this version.`,
      );
  } finally {
    await client.end();
  }
}

/** The migrations of this version that are not among the applied ones. */
export function missingMigrations(applied: readonly string[]): string[] {
  const names = readdirSync(MIGRATIONS_FOLDER).map((name) => name.replace(/\.sql$/, ''));
  return names.filter((name) => !applied.includes(name)).sort();
}

export function notSetUp(): StartRefused {
  return new StartRefused(
    'The database has no data of Tradeline yet: start the service with `tradeline serve`, or run `tradeline migrate`.',
  );
}

// Checked first, because the runner would report it as a stack trace.
async function assertMayCreate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    "select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may",
  );
  if (!rows[0]?.may) throw mayNotMigrate(client, 'it may create no tables');
}

/** A StartRefused for what an administrator can fix; any other error unchanged. */
function refusalOf(error: pg.DatabaseError, client: pg.Client): Error {
  if (error.code === INSUFFICIENT_PRIVILEGE) return mayNotMigrate(client, error.message);
  if (/^extension "\w+" is not available$/.test(error.message)) {
    return new StartRefused(
      `The PostgreSQL of DATABASE_URL lacks an extension (${error.message}): install its contrib package.`,
      { cause: error },
    );
  }
  return error;
}

function mayNotMigrate({ user = '', database = '' }: pg.Client, reason: string): StartRefused {
  return new StartRefused(
    `The login ${user} of DATABASE_OWNER_URL, or of DATABASE_URL where that is not set, may not migrate the database (${reason}): ` +
      `let an administrator run \`alter database ${pg.escapeIdentifier(database)} owner to ${pg.escapeIdentifier(user)}\`.`,
  );
}
