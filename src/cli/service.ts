/** The life of the service: start, first platform, banner, stop. */
import type { Settings } from '#config';
import { assertCanListen } from '#http/listening';
import { findFirstPlatform } from '#modules/platforms';
import { type Installation, openInstallation, startServer } from '../app.ts';
import { mailboxUrl } from '../mailbox/access.ts';
import { banner } from './banner.ts';
import { loadDemoRegistry, openDemoCheckout, recordDemoRegistry } from './demo.ts';
import { ensureFirstOperator, findShownOperatorKey } from './first-operator.ts';
import { ensureFirstPlatform, findShownApiKey } from './first-platform.ts';
import { removeReadyFile, writeReadyFile } from './ready-file.ts';

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
    // The registry comes first: the demo looks up a buyer in it.
    const hasDemo = settings.environment === 'sandbox' && !isEmpty;
    const loaded = hasDemo ? await loadDemoRegistry(installation) : null;
    await ensureFirstPlatform(installation, { isEmpty, report: console.log });
    if (loaded) await recordDemoRegistry(installation, loaded);
    await ensureFirstOperator(installation);
    if (!stopSignal.isReceived()) await serve(installation, stopSignal.received);
  } finally {
    await installation.close();
  }
}

async function serve(installation: Installation, stopSignal: Promise<void>): Promise<void> {
  const { readyFile, environment, databaseUrl, dataDir } = installation.settings;
  const server = await startServer(installation);
  const { baseUrl, metricsUrl } = server;
  const { pid } = process;
  try {
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
    if (readyFile !== null)
      writeReadyFile(readyFile, {
        base_url: baseUrl,
        api_key: apiKey,
        operator_key: operatorKey,
        console_url: null,
        checkout_url: checkoutUrl,
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

/** The mailbox page of the first platform. Other platforms open theirs with their API key. */
async function findMailbox({ db, vault }: Installation, baseUrl: string): Promise<string | null> {
  const platform = await findFirstPlatform(db);
  return platform ? mailboxUrl(vault, platform, baseUrl) : null;
}
