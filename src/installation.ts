/** The installation: its migrated database, which is started or connected to, and the tools to work on it. */
import type { Settings } from '#config';
import { isDistributed } from '#infra/database/citus';
import { type Connections, type Database, type Db, openDatabase } from '#infra/database/database';
import { type DatabaseLogins, openLogins } from '#infra/database/logins';
import { assertMigrated, listNextMigrations, migrate, type NextMigration } from '#infra/database/migrate';
import { type CommitListener, listenForCommits } from '#infra/database/wake-ups.queries';
import {
  attachToRunningPostgres,
  type EmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#infra/embedded-postgres/embedded-postgres';
import { createLog } from '#infra/log';
import { openVault } from '#infra/secrets/open-vault';
import type { Vault } from '#infra/secrets/vault';
import { type Clock, systemClock } from '#infra/time/clock';
import { StartRefused } from '#kernel/start-refused';

/** The migrated database and the tools to work on it. */
export interface Installation {
  settings: Settings;
  db: Db;
  connections(): Connections;
  /** A login that owns the schema. */
  owner: DatabaseLogins['owner'];
  /** Calls `onCommit` when other processes commit. */
  listen(onCommit: () => void): CommitListener;
  vault: Vault;
  clock: Clock;
  close(): Promise<void>;
}

export interface OpenOptions {
  report: (sentence: string) => void;
  /** Use the embedded PostgreSQL of a running server, if any, instead of throwing. */
  mayAttach?: boolean;
  /** Create and migrate nothing: throw StartRefused unless the database exists with the schema of this version. */
  mustExist?: boolean;
}

export async function openInstallation(settings: Settings, options: OpenOptions): Promise<Installation> {
  const { report, mustExist = false } = options;
  const { owner, service, listener, pooler, postgres } = await connect(settings, options);
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await postgres?.stop();
  };
  try {
    if (mustExist) await assertMigrated(owner);
    else await migrate(owner, report);
    const log = createLog(settings.logLevel);
    database = openDatabase({
      connection: service,
      pooler,
      connectionsMax: settings.databaseConnections,
      isCluster: await isDistributed(owner),
      onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    const vault = await openVault(database.db, settings, mustExist);
    const { db, connections } = database;
    const listen = (onCommit: () => void) => listenForCommits(listener, onCommit);
    return { settings, db, connections, owner, listen, vault, clock: systemClock, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The migrations that `openInstallation` would run. Throws StartRefused if no database exists, or one of a later version. */
export async function listNext(settings: Settings, options: OpenOptions): Promise<NextMigration[]> {
  const { owner, postgres } = await connect(settings, options);
  try {
    return await listNextMigrations(owner);
  } finally {
    await postgres?.stop();
  }
}

async function connect(
  { dataDir, databaseUrl, databaseOwnerUrl, databaseDirectUrl }: Settings,
  { report, mayAttach = false, mustExist = false }: OpenOptions,
): Promise<DatabaseLogins & { postgres: EmbeddedPostgres | null }> {
  if (databaseUrl !== null) {
    const urls = { databaseUrl, databaseOwnerUrl, databaseDirectUrl };
    const logins = await openLogins(urls, { mayCreateRole: !mustExist, report });
    return { ...logins, postgres: null };
  }
  if (mustExist && !hasEmbeddedPostgres(dataDir)) throw new StartRefused(noData(dataDir));
  const running = mayAttach ? await attachToRunningPostgres(dataDir) : null;
  const postgres = running ?? (await startEmbeddedPostgres({ dataDir, report }));
  const service = postgres.endpoint('service');
  return { owner: postgres.endpoint('owner'), service, listener: service, pooler: null, postgres };
}

function noData(dataDir: string): string {
  return (
    `There is no database in ${dataDir}: start the service with \`tradeline serve\`, or set TRADELINE_DATA_DIR, ` +
    'DATABASE_URL or the TRADELINE_READY_FILE of a running service to the one you mean.'
  );
}
