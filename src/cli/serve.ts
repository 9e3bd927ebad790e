/** `tradeline serve`: the service, until it is told to stop. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings, type Settings } from '#config';
import { type Installation, openInstallation, type RunningServer, startServer } from '../app.ts';
import { banner } from './banner.ts';
import { findShownApiKey, foundPlatform } from './first-platform.ts';

/** Stopping is bounded: what has not ended by then is cut off. */
const STOP_TIMEOUT_MS = 10_000;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { empty: { type: 'boolean', default: false } } });
  const settings = readSettings();
  const stopWish = waitForStop();
  const installation = await openInstallation(settings, { say: console.log });
  let server: RunningServer;
  try {
    await foundPlatform(installation, { isEmpty: values.empty, say: console.log });
    server = await startServer(installation);
  } catch (error) {
    await installation.close();
    throw error;
  }
  await announce(installation, server);
  await stopWish;
  console.log('Stopping …');
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  removeReadyFile(settings);
  await server.stop();
  await installation.close();
}

/** The first of these signals stops the service; those that follow (npm and a terminal both pass them on) change nothing. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

async function announce(installation: Installation, server: RunningServer): Promise<void> {
  const { settings } = installation;
  const apiKey = await findShownApiKey(installation);
  console.log(banner({ baseUrl: server.baseUrl, apiKey, environment: settings.environment }));
  if (settings.readyFile === null) return;
  // Written whole under another name: whoever waits for the file never reads half of it.
  const draft = `${settings.readyFile}.${process.pid}`;
  const ready = { base_url: server.baseUrl, api_key: apiKey, console_url: null, pid: process.pid };
  writeFileSync(draft, `${JSON.stringify(ready, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, settings.readyFile);
}

function removeReadyFile({ readyFile }: Settings): void {
  if (readyFile !== null) rmSync(readyFile, { force: true });
}
