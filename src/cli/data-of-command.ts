/** Which data `serve` and the commands work on. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings, type Settings } from '#config';
import { StartRefused } from '#kernel/start-refused';
import { readReadiness } from './ready-file.ts';

/** The settings of the service. Throws StartRefused for an invalid one, and if it is unclear which data is meant. */
export function readServiceSettings(): Settings {
  const settings = readSettings();
  if (settings.databaseUrl === null) assertOneDataFolder(settings);
  return settings;
}

/** The settings of a command. Its data is that of the running service whose ready file is set, unless a data folder is set. */
export function readCommandSettings(): Settings {
  const settings = readSettings();
  if (settings.databaseUrl !== null || settings.isDataDirSet) return settings;
  const running = settings.readyFile === null ? null : readReadiness(settings.readyFile);
  if (running?.data_dir) return { ...settings, dataDir: running.data_dir, isDataDirSet: true };
  assertOneDataFolder(settings);
  return settings;
}

/** The location of the data, for an operator: a folder, or a database URL without its login. */
export function describeData({ databaseUrl, dataDir }: Settings): string {
  if (databaseUrl === null) return dataDir;
  const [, address = ''] = /^\w+:\/\/(?:.*@)?([^?#]*)/.exec(databaseUrl) ?? [];
  return `the PostgreSQL ${address} of DATABASE_URL`;
}

/** Earlier versions used ./data of the current folder. Existing data there must not be ignored silently. */
function assertOneDataFolder({ dataDir, isDataDirSet }: Settings): void {
  const here = resolve('data');
  if (isDataDirSet || here === dataDir || !existsSync(join(here, 'tradeline.lock'))) return;
  throw new StartRefused(
    `${here} has data of Tradeline, but without TRADELINE_DATA_DIR the data folder is ${dataDir}: set TRADELINE_DATA_DIR to the one you mean.`,
  );
}
