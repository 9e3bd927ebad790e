/** The service from its start to its end. */
import type { Settings } from '#config';
import { findFirstPlatform } from '#modules/platforms';
import { type Installation, openInstallation, startServer } from '../app.ts';
import { mailboxUrl } from '../mailbox/access.ts';
import { banner } from './banner.ts';
import { openDemoCheckout } from './demo-checkout.ts';
import { loadDemoRegistry } from './demo-registry.ts';
import { findShownApiKey, foundPlatform } from './first-platform.ts';
import { removeReadyFile, writeReadyFile } from './ready-file.ts';

/** Stopping is bounded: what has not ended by then is cut off, and PostgreSQL by its guard. */
const STOP_TIMEOUT_MS = 30_000;

export interface StopSignal {
  spoken: Promise<void>;
  isSpoken(): boolean;
}

/** Resolves once the service has stopped and nothing that it started is left. Throws StartRefused. */
export async function runService(
  settings: Settings,
  isEmpty: boolean,
  stopSignal: StopSignal,
): Promise<void> {
  const installation = await openInstallation(settings, { say: console.log });
  try {
    // First the register: the story's buyers are found in it.
    if (settings.environment === 'sandbox' && !isEmpty) await loadDemoRegistry(installation);
    await foundPlatform(installation, { isEmpty, say: console.log });
    if (!stopSignal.isSpoken()) await serve(installation, stopSignal.spoken);
  } finally {
    await installation.close();
  }
}

async function serve(installation: Installation, stopSignal: Promise<void>): Promise<void> {
  const { readyFile, environment } = installation.settings;
  const server = await startServer(installation);
  const { baseUrl } = server;
  const { pid } = process;
  try {
    const { apiKey = null, hasStory = false } = (await findShownApiKey(installation)) ?? {};
    // What a service prints is kept in logs, which are no place for a key that opens real money.
    const shownKey = environment === 'sandbox' ? apiKey : null;
    const hasDemo = environment === 'sandbox' && hasStory;
    const checkoutUrl = hasDemo ? await openDemoCheckout(installation, baseUrl) : null;
    const mailbox = environment === 'sandbox' ? await findMailbox(installation, baseUrl) : null;
    console.log(
      banner({ baseUrl, apiKey: shownKey, checkoutUrl, mailboxUrl: mailbox, environment, hasStory }),
    );
    if (readyFile !== null)
      writeReadyFile(readyFile, {
        base_url: baseUrl,
        api_key: apiKey,
        console_url: null,
        checkout_url: checkoutUrl,
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

/** Of the first platform; another one's opens with its API key. */
async function findMailbox({ db, vault }: Installation, baseUrl: string): Promise<string | null> {
  const platform = await findFirstPlatform(db);
  return platform ? mailboxUrl(vault, platform, baseUrl) : null;
}
