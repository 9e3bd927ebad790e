/** The composition root: everything is put together here, by hand, from top to bottom. */
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { reference } from '#api/reference';
import { v1 } from '#api/v1';
import type { Settings } from '#config';
import { createRateLimit } from '#http/rate-limit';
import { createServer } from '#http/server';
import { type Clock, systemClock } from '#infra/clock';
import { type Database, type Db, openDatabase, SERVICE_ROLE } from '#infra/database';
import {
  attachToRunningPostgres,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#infra/embedded-postgres';
import { findInstallation, insertInstallation } from '#infra/installation.queries';
import { createLog } from '#infra/log';
import { readOrMakeMasterKey } from '#infra/master-key';
import { migrate } from '#infra/migrate';
import { createOutboundHttp } from '#infra/outbound-http';
import { createVault, type Vault } from '#infra/vault';
import { StartRefused } from '#kernel/start-refused';
import { createAuthenticator } from '#modules/platforms';
import { startWorker } from './worker/index.ts';

/** The database, migrated, and what is needed to work on it: all that a command needs. */
export interface Installation {
  settings: Settings;
  db: Db;
  vault: Vault;
  clock: Clock;
  close(): Promise<void>;
}

export interface OpenOptions {
  say: (sentence: string) => void;
  /** Use the embedded PostgreSQL of a running server where there is one, instead of refusing. */
  mayAttach?: boolean;
}

export async function openInstallation(
  settings: Settings,
  { say, mayAttach = false }: OpenOptions,
): Promise<Installation> {
  const connections = await connect(settings, say, mayAttach);
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await connections.postgres?.stop();
  };
  try {
    await assertServer(connections.owner);
    await migrate(connections.owner, say);
    const log = createLog(settings.logLevel);
    database = openDatabase({
      connection: connections.service,
      connectionsMax: settings.databaseConnections,
      role: SERVICE_ROLE,
      onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    const masterKey = settings.masterKey ?? readOrMakeMasterKey(settings.dataDir);
    const vault = createVault(masterKey);
    await assertSameInstallation(database.db, settings, vault);
    return { settings, db: database.db, vault, clock: systemClock, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Connections {
  owner: pg.ClientConfig;
  service: pg.ClientConfig;
  postgres: EmbeddedPostgres | null;
}

async function connect(
  settings: Settings,
  say: (sentence: string) => void,
  mayAttach: boolean,
): Promise<Connections> {
  if (settings.databaseUrl !== null) {
    return {
      owner: { connectionString: settings.databaseOwnerUrl ?? settings.databaseUrl },
      service: { connectionString: settings.databaseUrl },
      postgres: null,
    };
  }
  const running = mayAttach ? await attachToRunningPostgres(settings.dataDir) : null;
  const postgres = running ?? (await startEmbeddedPostgres({ dataDir: settings.dataDir, say }));
  return { owner: postgres.endpoint('owner'), service: postgres.endpoint('service'), postgres };
}

const SERVER_VERSION_MIN = 150_000;

async function assertServer(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string; number: number }>(
      "select current_setting('server_version') as server_version, current_setting('server_version_num')::int as number",
    );
    const [server] = rows;
    if (!server || server.number >= SERVER_VERSION_MIN) return;
    throw new StartRefused(
      `DATABASE_URL leads to PostgreSQL ${server.server_version}; Tradeline needs 15 or later.`,
    );
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    // The message names host and port or the login, never the password.
    throw new StartRefused(
      `The database of DATABASE_URL cannot be reached: ${(error as Error).message || (error as { code?: string }).code}.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** A database was made for one environment and one master key; another one of either would read nothing but nonsense. */
async function assertSameInstallation(db: Db, settings: Settings, vault: Vault): Promise<void> {
  const masterKeyCheck = vault.derive('master-key-check', 32);
  await insertInstallation(db, {
    environment: settings.environment,
    master_key_check: masterKeyCheck,
    created_at: systemClock.now(),
  });
  const stored = await findInstallation(db);
  if (!stored?.master_key_check.equals(masterKeyCheck)) {
    throw new StartRefused(
      'This database was made with another master key: set TRADELINE_MASTER_KEY to it, or put back the file master-key of the data folder.',
    );
  }
  if (stored.environment !== settings.environment) {
    throw new StartRefused(
      `This database is a ${stored.environment} one: set TRADELINE_ENVIRONMENT=${stored.environment}, or point to another database.`,
    );
  }
}

export interface RunningServer {
  baseUrl: string;
  /** Answers what is under way, stops background work, and lets go of the port. */
  stop(): Promise<void>;
}

/** Starts the API, and the background work where the settings say so, on an open installation. */
export async function startServer({ settings, db, vault, clock }: Installation): Promise<RunningServer> {
  const log = createLog(settings.logLevel);
  const outbound = createOutboundHttp({
    allowLoopback: settings.environment === 'sandbox',
    extraPorts: settings.webhookExtraPorts,
    allowCidrs: settings.webhookAllowCidrs,
    ...(settings.webhookCa !== null && { extraCa: settings.webhookCa }),
  });
  const authenticator = createAuthenticator({ db, vault, clock, environment: settings.environment });
  const worker = settings.isWorkerOn
    ? startWorker({ db, clock, outbound, vault, log, everyMinute: () => authenticator.recordUses() })
    : null;
  const server = createServer({
    routes: v1,
    db,
    clock,
    outbound,
    log,
    authenticate: authenticator.authenticate,
    rateLimit:
      settings.rateLimitPerSecond === 0
        ? null
        : createRateLimit(settings.rateLimitPerSecond, settings.rateLimitBurst, clock),
    docsUrl: `${settings.baseUrl ?? ''}/docs/errors`,
    onCommitted: () => worker?.wake(),
  });
  server.register(reference, { routes: v1, baseUrl: settings.baseUrl });
  const stop = async () => {
    await server.close();
    await worker?.stop();
    await outbound.close();
  };
  try {
    await listen(server, settings);
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl: settings.baseUrl ?? addressOf(server, settings.host), stop };
}

async function listen(server: FastifyInstance, { port, host }: Settings): Promise<void> {
  try {
    await server.listen({ port, host });
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new StartRefused(
          `Port ${port} on ${host} is in use: set PORT to another one, or to 0 for any free one.`,
        );
      case 'EACCES':
        throw new StartRefused(`This user may not listen on port ${port}: set PORT to one above 1023.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new StartRefused(`HOST=${host} is not an address of this machine.`);
      default:
        throw error;
    }
  }
}

function addressOf(server: FastifyInstance, host: string): string {
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
