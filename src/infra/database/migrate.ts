/** Brings a database to the schema this version needs. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migrations';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs the migrations that are missing, under an advisory lock that waits for another process doing the same. `owner`
 * is a login that owns the schema. Returns the names of those that ran; `say` hears of each.
 */
export async function migrate(owner: pg.ClientConfig, say: (sentence: string) => void): Promise<string[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await assertMayCreate(client);
    const ran = await runner({
      dbClient: client,
      dir: MIGRATIONS_FOLDER,
      migrationsTable: MIGRATIONS_TABLE,
      direction: 'up',
      advisoryLockMode: 'wait',
      singleTransaction: false,
      logger: { debug: () => {}, info: () => {}, warn: say, error: () => {} },
    });
    for (const { name } of ran) say(`Migrated the database: ${name}`);
    return ran.map(({ name }) => name);
  } catch (error) {
    throw refusalOf(error as pg.DatabaseError, client);
  } finally {
    await client.end();
  }
}

// Asked first, because the runner would say it in a stack trace.
async function assertMayCreate(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    "select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may",
  );
  if (!rows[0]?.may) throw mayNotMigrate(client, 'it may create no tables');
}

/** What an administrator of the server can mend; everything else is a defect of ours and stays as it is. */
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
