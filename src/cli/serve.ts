/** `tradeline serve`: the service, until it is told to stop. */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { prepareReadyFile } from './ready-file.ts';
import type { StopWish } from './service.ts';

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { empty: { type: 'boolean', default: false } } });
  const settings = readSettings();
  if (settings.readyFile !== null) prepareReadyFile(settings.readyFile);
  const stopWish = waitForStop();
  // Loaded last: what is wrong with a setting is said at once.
  const { runService } = await import('./service.ts');
  await runService(settings, values.empty, stopWish);
  // A receiver that never answers its webhook would keep the process for as long as its timeout.
  process.exit(0);
}

/** The first of these signals stops the service; those that follow (npm and a terminal both pass them on) change nothing. */
function waitForStop(): StopWish {
  let isSpoken = false;
  const spoken = new Promise<void>((resolve) => {
    const stop = () => {
      isSpoken = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
  return { spoken, isSpoken: () => isSpoken };
}
