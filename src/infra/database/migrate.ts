/** Migrates a database to the schema of this version. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { keepDistributed, prepareMigration } from './citus.ts';
import { isRetryable } from './database.ts';
import { withRetries } from './transaction.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MIGRATIONS_TABLE = 'schema_migrations';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The first line of a migration: processes that know the migration with this number, but not this one, still work after it. */
const WORKS_FROM = /^-- works from (\d{4})\n/;

/** Called with what a migration prints, and with the name of each migration that has run. */
interface MigrationReports {
  report: (sentence: string) => void;
  onRun: (name: string) => void;
}

/**
 * Runs the missing migrations under an advisory lock, for which other processes wait. A migration that deadlocks with a serving process
 * runs again. `owner` is a login that owns the schema. Calls `report` with a sentence for each migration and returns their names. Throws
 * StartRefused.
 */
export async function migrate(owner: pg.ClientConfig, report: (sentence: string) => void): Promise<string[]> {
  const ran: string[] = [];
  const onRun = (name: string) => {
    ran.push(name);
    report(`Migrated the database: ${name}`);
  };
  await withRetries(() => migrateOnce(owner, { report, onRun }));
  return ran;
}

async function migrateOnce(owner: pg.ClientConfig, reports: MigrationReports): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await assertMayCreate(client);
    const applied = await assertKnown(client);
    await prepareMigration(client);
    const isUpToDate = applied !== null && missingMigrations(applied).length === 0;
    if (!isUpToDate) await runMissing(client, applied ?? [], reports);
    await noteWhatWorks(client);
    await keepDistributed(client, reports.report);
  } catch (error) {
    throw refusalOf(error as pg.DatabaseError, client);
  } finally {
    await client.end();
  }
}

async function runMissing(
  client: pg.Client,
  applied: readonly AppliedMigration[],
  { report, onRun }: MigrationReports,
): Promise<void> {
  // Few starts need this module, and loading it would delay each.
  const { runner } = await import('node-pg-migrate');
  try {
    const ran = await runner({
      dbClient: client,
      dir: MIGRATIONS_FOLDER,
      migrationsTable: MIGRATIONS_TABLE,
      direction: 'up',
      advisoryLockMode: 'wait',
      singleTransaction: false,
      logger: { debug: () => {}, info: () => {}, warn: report, error: () => {} },
    });
    for (const { name } of ran) onRun(name);
  } catch (error) {
    // The migrations before it have been committed.
    if (isRetryable(error)) {
      await client.query('rollback');
      const known = new Set(applied.map(({ name }) => name));
      for (const { name } of (await assertKnown(client)) ?? []) if (!known.has(name)) onRun(name);
    }
    throw error;
  }
}

/** Throws StartRefused unless the database has every migration of this version. Changes nothing. */
export async function assertMigrated(owner: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const applied = await assertKnown(client);
    if (applied === null) throw notSetUp();
    const missing = missingMigrations(applied);
    if (missing.length > 0)
      throw new StartRefused(
        `The database is of an earlier version (it lacks ${missing.join(', ')}): run \`tradeline migrate\`, or start this version of the service.`,
      );
  } finally {
    await client.end();
  }
}

export interface AppliedMigration {
  name: string;
  /** The number of the last migration that a process must know to work with the schema after this one; null if it must know this one. */
  works_from: number | null;
}

/** The migrations of this version that are not among the applied ones. */
function missingMigrations(applied: readonly AppliedMigration[]): string[] {
  const names = new Set(applied.map(({ name }) => name));
  return ownMigrations().filter((name) => !names.has(name));
}

/** The applied migrations of a later version after which this one cannot work. */
function strangeMigrations(applied: readonly AppliedMigration[]): string[] {
  const own = ownMigrations();
  const last = numberOf(own.at(-1) ?? '');
  return applied
    .filter(({ name, works_from }) => !own.includes(name) && (works_from === null || works_from > last))
    .map(({ name }) => name);
}

/** A migration that has not run yet. */
export interface NextMigration {
  name: string;
  /** Whether processes of the database's current version still work after it. */
  goesOn: boolean;
}

/** The migrations that `migrate` would run. Throws StartRefused for a database of a later version. */
export async function listNextMigrations(owner: pg.ClientConfig): Promise<NextMigration[]> {
  const client = new pg.Client(owner);
  await client.connect();
  try {
    const applied = (await assertKnown(client)) ?? [];
    const last = Math.max(0, ...applied.map(({ name }) => numberOf(name)));
    return missingMigrations(applied).map((name) => ({
      name,
      goesOn: applied.length === 0 || (worksFrom(name) ?? Number.POSITIVE_INFINITY) <= last,
    }));
  } finally {
    await client.end();
  }
}

const numberOf = (name: string) => Number.parseInt(name, 10) || 0;

/** Whether this version can work with the schema, also while another one migrates it. */
export function isSchemaKnown(applied: readonly AppliedMigration[]): boolean {
  return missingMigrations(applied).length === 0 && strangeMigrations(applied).length === 0;
}

/** The migrations of this version, in order. */
const ownMigrations = () =>
  readdirSync(MIGRATIONS_FOLDER)
    .map((name) => name.replace(/\.sql$/, ''))
    .sort();

function worksFrom(name: string): number | null {
  const [, number] = WORKS_FROM.exec(readFileSync(`${MIGRATIONS_FOLDER}/${name}.sql`, 'utf8')) ?? [];
  return number === undefined ? null : Number(number);
}

/** Stores `works_from` in the database for versions that do not have the files. */
async function noteWhatWorks(client: pg.Client): Promise<void> {
  const noted = ownMigrations().map((name) => ({ name, works_from: worksFrom(name) }));
  await client.query(
    `update ${MIGRATIONS_TABLE} m set works_from = n.works_from
    from json_to_recordset($1) as n(name text, works_from integer)
    where m.name = n.name and m.works_from is distinct from n.works_from`,
    [JSON.stringify(noted)],
  );
}

/** Throws StartRefused for a database of a later version. Returns what was applied; null for an empty database. */
async function assertKnown(client: pg.Client): Promise<AppliedMigration[] | null> {
  const { rows: tables } = await client.query(`select where to_regclass('${MIGRATIONS_TABLE}') is not null`);
  if (tables.length === 0) return null;
  // An older database does not have the column yet.
  const { rows } = await client.query<AppliedMigration>(
    `select name, (to_jsonb(m) ->> 'works_from')::integer as works_from from ${MIGRATIONS_TABLE} m order by id`,
  );
  const strange = strangeMigrations(rows);
  if (strange.length > 0)
    throw new StartRefused(
      `The database is of a later version (it has ${strange.join(', ')}): start that version, or restore a backup from before its migration.`,
    );
  return rows;
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
