/** `tradeline serve`: runs the service until it receives a stop signal. */
import { isStartedByNpm } from '#config';
import { collectWhenDoubled } from '#infra/garbage-collection';
import { readOptions } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { readServiceSettings } from './data-of-command.ts';
import { prepareReadyFile } from './ready-file.ts';
import type { StopSignal } from './service.ts';

const PARENT_CHECK_MS = 100;

export const serveCommand = commandWithoutVerbs(serve);

async function serve(args: string[]): Promise<void> {
  const { values } = readOptions({ args, options: { empty: { type: 'boolean', default: false } } });
  const settings = readServiceSettings();
  if (settings.readyFile !== null) prepareReadyFile(settings.readyFile, settings.dataDir);
  const stopSignal = waitForStop();
  collectWhenDoubled();
  // Imported late, so that a wrong setting is reported immediately.
  const { runService } = await import('./service.ts');
  await runService(settings, values.empty, stopSignal);
  // A webhook receiver that never answers would keep the process alive until its timeout.
  process.exit(0);
}

/** The first signal stops the service. Later ones are ignored: npm and the terminal may both send one. */
function waitForStop(): StopSignal {
  let isReceived = false;
  const received = new Promise<void>((resolve) => {
    const stop = () => {
      isReceived = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (isStartedByNpm()) whenParentEnds(stop);
  });
  return { received, isReceived: () => isReceived };
}

/**
 * Calls `stop` when the parent process ends. npm passes a signal to its shell only, which dies without passing it on. Without npm, the end
 * of the parent is ignored, as after `nohup tradeline serve &`.
 */
function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
