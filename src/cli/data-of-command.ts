/** Which data `serve` and the commands work on. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, type Settings } from '#config';
import { StartRefused } from '#kernel/start-refused';
import { readReadiness } from './ready-file.ts';

/** The settings of the service. Throws StartRefused for an invalid one, and where it is unclear which data is meant. */
export function readServiceSettings(): Settings {
  const settings = readSettings();
  if (settings.databaseUrl === null) assertOneDataFolder(settings);
  return settings;
}

/** The same for a command. The data is that of the running service whose ready file is set, unless a data folder is. */
export function readCommandSettings(): Settings {
  const settings = readSettings();
  if (settings.databaseUrl !== null || settings.isDataDirSet) return settings;
  const running = settings.readyFile === null ? null : readReadiness(settings.readyFile);
  if (running?.data_dir) return { ...settings, dataDir: running.data_dir, isDataDirSet: true };
  assertOneDataFolder(settings);
  return settings;
}

/** Where the data is, for an operator: a folder, or a database without its login. */
export function describeData({ databaseUrl, dataDir }: Settings): string {
  if (databaseUrl === null) return dataDir;
  const [, address = ''] = /^\w+:\/\/(?:.*@)?([^?#]*)/.exec(databaseUrl) ?? [];
  return `the PostgreSQL ${address} of DATABASE_URL`;
}

/** Earlier versions took ./data of the current folder: data that is there must not be passed over in silence. */
function assertOneDataFolder({ dataDir, isDataDirSet }: Settings): void {
  const here = resolve('data');
  if (isDataDirSet || here === dataDir || !existsSync(join(here, 'tradeline.lock'))) return;
  throw new StartRefused(
    `${here} has data of Tradeline, but without TRADELINE_DATA_DIR the data folder is ${dataDir}: set TRADELINE_DATA_DIR to the one you mean.`,
  );
}
