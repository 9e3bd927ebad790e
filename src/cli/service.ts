/** The life of the service: start, first platform, banner, stop. */
import type { Settings } from '#config';
import { assertCanListen } from '#http/listening';
import { findFirstPlatform } from '#modules/platforms';
import { startServer } from '../app.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { mailboxUrl } from '../mailbox/access.ts';
import { banner } from './banner.ts';
import { loadDemoRegistry, openDemoCheckout, recordDemoRegistry } from './demo.ts';
import { ensureFirstOperator, findShownOperatorKey } from './first-operator.ts';
import { ensureFirstPlatform, findShownApiKey } from './first-platform.ts';
import { type Readiness, removeReadyFile, writeReadyFile } from './ready-file.ts';

/** Limit for stopping. Then the process exits, and the guard stops PostgreSQL. */
const STOP_TIMEOUT_MS = 30_000;

export interface StopSignal {
  received: Promise<void>;
  isReceived(): boolean;
}

/** Resolves when the service has stopped and no process that it started is left. Throws StartRefused. */
export async function runService(
  settings: Settings,
  isEmpty: boolean,
  stopSignal: StopSignal,
): Promise<void> {
  await assertCanListen(settings);
  const installation = await openInstallation(settings, { report: console.log });
  try {
    if (settings.workerRole !== 'only') await prepareFirstUse(installation, isEmpty);
    if (!stopSignal.isReceived()) await serve(installation, stopSignal.received);
  } finally {
    await installation.close();
  }
}

async function prepareFirstUse(installation: Installation, isEmpty: boolean): Promise<void> {
  // The registry comes first: the demo looks up a buyer in it.
  const hasDemo = installation.settings.environment === 'sandbox' && !isEmpty;
  const loaded = hasDemo ? await loadDemoRegistry(installation) : null;
  await ensureFirstPlatform(installation, { isEmpty, report: console.log });
  if (loaded) await recordDemoRegistry(installation, loaded);
  await ensureFirstOperator(installation);
}

async function serve(installation: Installation, stopSignal: Promise<void>): Promise<void> {
  const { readyFile, databaseUrl, dataDir, workerRole } = installation.settings;
  const server = await startServer(installation);
  const { baseUrl, metricsUrl } = server;
  const { pid } = process;
  try {
    const shown = workerRole === 'only' ? showWorker(baseUrl) : await showService(installation, baseUrl);
    if (readyFile !== null)
      writeReadyFile(readyFile, {
        base_url: baseUrl,
        ...shown,
        metrics_url: metricsUrl,
        data_dir: databaseUrl === null ? dataDir : null,
        pid,
      });
    await stopSignal;
    console.log('Stopping …');
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  } finally {
    if (readyFile !== null) removeReadyFile(readyFile, pid);
    await server.stop();
  }
}

type Shown = Pick<Readiness, 'api_key' | 'operator_key' | 'console_url' | 'checkout_url'>;

/** Prints the addresses of the service, and its keys if they may be shown. */
async function showService(installation: Installation, baseUrl: string): Promise<Shown> {
  const { environment } = installation.settings;
  const { apiKey = null, hasDemo = false } = (await findShownApiKey(installation)) ?? {};
  // Output ends up in logs, which must not contain a production key.
  const shownKey = environment === 'sandbox' ? apiKey : null;
  const isDemoShown = environment === 'sandbox' && hasDemo;
  const operatorKey = await findShownOperatorKey(installation);
  const checkoutUrl = isDemoShown ? await openDemoCheckout(installation, baseUrl) : null;
  const mailbox = environment === 'sandbox' ? await findMailbox(installation, baseUrl) : null;
  console.log(
    banner({
      ...{ baseUrl, apiKey: shownKey, operatorKey, checkoutUrl, mailboxUrl: mailbox },
      ...{ environment, hasDemo },
    }),
  );
  return { api_key: apiKey, operator_key: operatorKey, console_url: null, checkout_url: checkoutUrl };
}

function showWorker(baseUrl: string): Shown {
  console.log(`Tradeline is working in the background. Health: ${baseUrl}/readyz`);
  return { api_key: null, operator_key: null, console_url: null, checkout_url: null };
}

/** The mailbox page of the first platform. Other platforms open theirs with their API key. */
async function findMailbox({ db, vault }: Installation, baseUrl: string): Promise<string | null> {
  const platform = await findFirstPlatform(db);
  return platform ? mailboxUrl(vault, platform, baseUrl) : null;
}
