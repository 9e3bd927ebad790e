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
import { type Db, SERVICE_ROLE } from '#infra/database/database';
import { findCurrentRole, listMigrations } from '#infra/database/installation.queries';
import { isSchemaKnown } from '#infra/database/migrate';
import { createFileStore } from '#infra/files/file-store';
import { createLog, type Log } from '#infra/log';
import type { MetricsServer } from '#infra/metrics';
import { createOutboundHttp } from '#infra/outbound/http';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { startTracing, type Tracing } from '#infra/tracing';
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
import type { Installation } from './installation.ts';
import { mailbox } from './mailbox/mailbox.ts';
import { startWorker, type Worker } from './worker/index.ts';
import { mailServerOf } from './worker/mail-server.ts';
import { createServiceMetrics } from './worker/service-metrics.ts';
import { startWakeUps, type WakeUps } from './worker/wake-ups.ts';

/** How long a stopping server waits for running requests: less than the 10 s after which containers are killed. */
const DRAIN_MS = 5_000;
/** The further wait for requests whose clients have disconnected. */
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
  const { watch, isServing, giveWay } = createServingWatch(clock);
  const worker =
    settings.workerRole === 'off'
      ? null
      : startWorker({
          ...{ db, clock, clocks, outbound, vault, files, log },
          ...{ metrics: metrics.work, isServing, giveWay },
          deps: { vault, clocks, registries, risk, isSandbox, giveWay, baseUrl: () => baseUrl ?? '' },
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
  watch(server.server);
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

/** The client that sends webhooks. */
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

/** The pages that people open in a browser: the checkout, the mailbox of a sandbox, the reference. */
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

/** The checks that a process must pass to serve requests. A worker that hangs fails too, because a restart helps. */
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
