/** `tradeline serve`: the service, until it is told to stop. */
import { parseArgs } from 'node:util';
import { isStartedByNpm, readSettings } from '#config';
import { prepareReadyFile } from './ready-file.ts';
import type { StopSignal } from './service.ts';

const PARENT_CHECK_MS = 100;

export async function serveCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { empty: { type: 'boolean', default: false } } });
  const settings = readSettings();
  if (settings.readyFile !== null) prepareReadyFile(settings.readyFile, settings.dataDir);
  const stopSignal = waitForStop();
  // Loaded last: what is wrong with a setting is said at once.
  const { runService } = await import('./service.ts');
  await runService(settings, values.empty, stopSignal);
  // A receiver that never answers its webhook would keep the process for as long as its timeout.
  process.exit(0);
}

/** The first of these signals stops the service; those that follow (npm and a terminal both pass them on) change nothing. */
function waitForStop(): StopSignal {
  let isSpoken = false;
  const spoken = new Promise<void>((resolve) => {
    const stop = () => {
      isSpoken = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (isStartedByNpm()) whenParentEnds(stop);
  });
  return { spoken, isSpoken: () => isSpoken };
}

/**
 * npm passes a signal on to its shell, which dies of it and passes nothing on: the end of the parent is all we hear.
 * Without npm in between it says nothing, as after `nohup tradeline serve &`.
 */
function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_CHECK_MS).unref();
}
