/** The composition root: builds and connects all parts by hand. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reference } from '#api/reference';
import { v1 } from '#api/v1';
import type { Settings } from '#config';
import { publicAddressOf } from '#http/forwarded';
import { health, type ReadinessCheck } from '#http/health';
import { addressOf, listen } from '#http/listening';
import { createServer, type ServerOptions } from '#http/server';
import { createServingWatch } from '#http/serving-watch';
import {
  type Connections,
  type Database,
  type Db,
  openDatabase,
  SERVICE_ROLE,
} from '#infra/database/database';
import { findCurrentRole, listMigrations } from '#infra/database/installation.queries';
import { type DatabaseLogins, openLogins } from '#infra/database/logins';
import {
  assertMigrated,
  isSchemaKnown,
  listNextMigrations,
  migrate,
  type NextMigration,
} from '#infra/database/migrate';
import { type CommitListener, listenForCommits } from '#infra/database/wake-ups.queries';
import {
  attachToRunningPostgres,
  type EmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#infra/embedded-postgres/embedded-postgres';
import { createFileStore } from '#infra/files/file-store';
import { createLog, type Log } from '#infra/log';
import type { MetricsServer } from '#infra/metrics';
import { createOutboundHttp } from '#infra/outbound/http';
import { openVault } from '#infra/secrets/open-vault';
import type { Vault } from '#infra/secrets/vault';
import { type Clock, systemClock } from '#infra/time/clock';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { startTracing, type Tracing } from '#infra/tracing';
import { StartRefused } from '#kernel/start-refused';
import { createBuyerPage } from '#modules/buyer-page';
import { createCheckoutForms } from '#modules/checkout';
import { createAuthenticator } from '#modules/platforms';
import { openLiveRegistries } from '#modules/registry';
import { createRiskSource } from '#modules/underwriting';
import { rateLimitsOf } from '#operation/rate-limit';
import { malformedAnswerer } from '#pages/error-answers';
import { logos } from '#pages/logos';
import { BUYER_PAGES, buyerPages } from './buyer-pages/index.ts';
import { CHECKOUT, checkout } from './checkout-pages/index.ts';
import { mailbox } from './mailbox/mailbox.ts';
import { startWorker, type Worker } from './worker/index.ts';
import { mailServerOf } from './worker/mail-server.ts';
import { createServiceMetrics } from './worker/service-metrics.ts';
import { startWakeUps, type WakeUps } from './worker/wake-ups.ts';

/** The migrated database and what is needed to work on it. */
export interface Installation {
  settings: Settings;
  db: Db;
  connections(): Connections;
  /** Calls back at the commits of other processes. */
  listen(onCommit: () => void): CommitListener;
  vault: Vault;
  clock: Clock;
  close(): Promise<void>;
}

export interface OpenOptions {
  report: (sentence: string) => void;
  /** Use the embedded PostgreSQL of a running server, if any, instead of throwing. */
  mayAttach?: boolean;
  /** Create nothing and migrate nothing: throw StartRefused unless the database exists, as this version makes it. */
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
      onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    const vault = await openVault(database.db, settings, mustExist);
    const { db, connections } = database;
    const listen = (onCommit: () => void) => listenForCommits(listener, onCommit);
    return { settings, db, connections, listen, vault, clock: systemClock, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What `openInstallation` would migrate. Throws StartRefused where there is no database, or one of a later version. */
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

/** How long a stopping server waits for running requests: less than the 10 s after which containers are killed. */
const DRAIN_MS = 5_000;
/** And for those whose clients have left. */
const ABANDONED_MS = 3_000;
const IDLE_CHECK_MS = 50;
const USES_RECORDED_EVERY_MS = 60_000;
const OUTBOUND_GRACE_MS = 100;

export interface RunningServer {
  baseUrl: string;
  /** Null without metrics. */
  metricsUrl: string | null;
  /** Finishes running requests, stops background work and closes the port. */
  stop(): Promise<void>;
}

/** Starts the API, the background work, or both, by the role of the process. */
export async function startServer(installation: Installation): Promise<RunningServer> {
  const { settings, db, vault, clock } = installation;
  const log = createLog(settings.logLevel);
  const isSandbox = settings.environment === 'sandbox';
  const clocks = createPlatformClocks(clock, isSandbox);
  const outbound = outboundOf(settings);
  const files = createFileStore(settings.filesFolder);
  const registries = openLiveRegistries(settings, { db, clock, log });
  const riskSource = createRiskSource(settings, { clock, log });
  const risk = { source: riskSource, onFailure: settings.riskFailure, elapsedMs: () => clock.elapsedMs() };
  const authenticator = createAuthenticator({ db, vault, clock, clocks, environment: settings.environment });
  const recordUses = () =>
    authenticator.recordUses().catch((error) => log.warn({ err: error }, 'uses of API keys not recorded'));
  const useRecording = setInterval(recordUses, USES_RECORDED_EVERY_MS);
  let { baseUrl } = settings;
  const { isTrustedProxy, baseUrlOf } = publicAddressOf(settings);
  const tracing = settings.tracesUrl === null ? null : await startTracing(settings.tracesUrl, log);
  const metrics = createServiceMetrics(settings.metrics, installation, clocks);
  const isApi = settings.workerRole !== 'only';
  const serving = createServingWatch(clock);
  const worker =
    settings.workerRole === 'off'
      ? null
      : startWorker({
          ...{ db, clock, clocks, outbound, vault, files, log },
          ...{ metrics: metrics.work, isServing: serving.isServing },
          deps: { vault, registries, risk, isSandbox, baseUrl: () => baseUrl ?? '' },
          mail: mailServerOf(settings, log),
          ...{ eventsKeptDays: settings.eventsKeptDays, noticesKeptYears: settings.noticesKeptYears },
          baseUrl: () => baseUrl ?? '',
        });
  const stopping = new AbortController();
  const reached = { outbound, files, stopping: stopping.signal };
  const deps = { db, vault, clock, clocks, registries, risk, isSandbox, ...reached };
  const wakeUps = startWakeUps(worker, { db, log, listen: installation.listen });
  const onCommitted = wakeUps.committed;
  const server = createServer({
    routes: isApi ? v1 : [],
    ...deps,
    baseUrl: (request) => (request && baseUrlOf(request)) ?? baseUrl ?? '',
    isTrustedProxy,
    log,
    metrics: metrics.registry,
    isTraced: tracing !== null,
    authenticate: authenticator.authenticate,
    ...rateLimitsOf(settings, clock),
    answerMalformedAddress: malformedAnswerer([CHECKOUT, BUYER_PAGES]),
    onCommitted,
  });
  serving.watch(server.server);
  const { authenticate } = authenticator;
  const pages = { ...deps, settings, log, authenticate, onCommitted, baseUrlOf, baseUrl: () => baseUrl };
  if (isApi) registerPages(server, pages);
  server.register(health, { checks: readinessChecks(db, worker) });
  const outgoing: Parts['outgoing'] = [outbound, registries, riskSource];
  const parts = { stopping, wakeUps, worker, useRecording, recordUses, outgoing, tracing };
  const stop = () => stopServer(server, parts);
  let served: MetricsServer | null;
  try {
    served = await metrics.serve();
    if (served) outgoing.push(served);
    await listen(server, settings);
  } catch (error) {
    await stop();
    throw error;
  }
  const ownUrl = addressOf(server, settings.host);
  baseUrl ??= ownUrl;
  return { baseUrl: isApi ? baseUrl : ownUrl, metricsUrl: served?.url ?? null, stop };
}

/** What webhooks are sent with. */
function outboundOf({ environment, webhookExtraPorts, webhookAllowCidrs, webhookCa }: Settings) {
  return createOutboundHttp({
    allowLoopback: environment === 'sandbox',
    extraPorts: webhookExtraPorts,
    allowCidrs: webhookAllowCidrs,
    ...(webhookCa !== null && { extraCa: webhookCa }),
  });
}

type PageOptions = Omit<Parameters<typeof createBuyerPage>[0], 'companyApplicationsPerHour'> &
  Omit<Parameters<typeof createCheckoutForms>[0], 'companyApplicationsPerHour'> & {
    settings: Settings;
    log: Log;
    authenticate: ServerOptions['authenticate'];
    baseUrlOf(request: FastifyRequest): string | null;
  };

/** What people open in a browser: the checkout, the mailbox of a sandbox, the reference. */
function registerPages(server: FastifyInstance, options: PageOptions): void {
  const { settings, log, authenticate, baseUrlOf, ...deps } = options;
  const { db, vault, clock } = deps;
  const { companyApplicationsPerHour } = settings;
  const forms = createCheckoutForms({ ...deps, companyApplicationsPerHour });
  const page = createBuyerPage({ ...deps, companyApplicationsPerHour });
  server.register(logos, { db });
  server.register(checkout, { prefix: '/checkout', forms, baseUrlOf, clock, log });
  server.register(buyerPages, { prefix: '/buyer', page, baseUrlOf, clock, log });
  if (deps.isSandbox) server.register(mailbox, { db, vault, ...settings, baseUrlOf, authenticate });
  server.register(reference, { routes: v1, baseUrl: settings.baseUrl });
}

/** What a process needs to serve requests. A worker that hangs is as bad as none: a restart helps. */
function readinessChecks(db: Db, worker: Worker | null): Record<string, ReadinessCheck> {
  return {
    database: async () => (await findCurrentRole(db)) === SERVICE_ROLE,
    migrations: async () => isSchemaKnown(await listMigrations(db)),
    worker: async () => worker?.isWorking() ?? 'off',
  };
}

interface Parts {
  stopping: AbortController;
  wakeUps: WakeUps;
  worker: Worker | null;
  useRecording: NodeJS.Timeout;
  recordUses(): Promise<void>;
  /** Clients of external services. */
  outgoing: { close(): Promise<void> }[];
  tracing: Tracing | null;
}

async function stopServer(
  server: FastifyInstance,
  { stopping, wakeUps, worker, useRecording, recordUses, outgoing, tracing }: Parts,
): Promise<void> {
  stopping.abort();
  const timers = [
    // A connection becomes idle only when its running request is answered.
    setInterval(() => server.server.closeIdleConnections(), IDLE_CHECK_MS),
    setTimeout(() => server.server.closeAllConnections(), DRAIN_MS),
  ];
  await server.close();
  await server.untilNoneRuns(ABANDONED_MS);
  for (const timer of [...timers, useRecording]) clearTimeout(timer);
  await Promise.all([recordUses(), wakeUps.close(), worker?.stop()]);
  // Do not wait for webhook receivers, whose leases the worker has released, or for registries, whose callers are
  // disconnected by now.
  const closed = Promise.all(outgoing.map((each) => each.close()));
  await Promise.race([closed, sleep(OUTBOUND_GRACE_MS, undefined, { ref: false })]);
  await tracing?.close();
}
