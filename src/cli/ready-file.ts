/** The ready file, which tells scripts that the server answers, and its address. */
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive } from '#infra/embedded-postgres/leftovers';
import { StartRefused } from '#kernel/start-refused';

export interface Readiness {
  base_url: string;
  /** Null if no key may be shown. */
  api_key: string | null;
  /** The key of a sandbox's first operator; null if it may not be shown or no longer works. */
  operator_key: string | null;
  console_url: string | null;
  /** The checkout of a draft of the demo; null if there is none. */
  checkout_url: string | null;
  /** The address of the metrics; null if none are served. */
  metrics_url: string | null;
  /** Null if the data is in the PostgreSQL of DATABASE_URL. */
  data_dir: string | null;
  pid: number;
}

/** Checks before the start that the file can be written, and removes the file of a killed process. Throws StartRefused. */
export function prepareReadyFile(path: string, dataDir: string): void {
  // A first start creates the data folder later, with its own permissions.
  if (dirname(path) === dataDir && !existsSync(dataDir)) return;
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    if (!existsSync(path)) return;
    const left = readFileSync(path, 'utf8');
    if (isStale(left)) rmSync(path);
  } catch (error) {
    throw refusal(path, error);
  }
}

function isStale(content: string): boolean {
  const pid = /"pid": (\d+)/.exec(content)?.[1];
  // In a container, an earlier process may have had this process's pid.
  return pid === undefined || Number(pid) === process.pid || !isAlive(Number(pid));
}

/** Writes the file atomically, so that a waiting script never reads half of it. Throws StartRefused. */
export function writeReadyFile(path: string, readiness: Readiness): void {
  const draft = `${path}.${readiness.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(readiness, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw refusal(path, error);
  }
}

/** What the running service wrote; null if the file names no running service. */
export function readReadiness(path: string): Readiness | null {
  try {
    const readiness = JSON.parse(readFileSync(path, 'utf8')) as Readiness;
    return isAlive(readiness.pid) ? readiness : null;
  } catch {
    return null;
  }
}

/** Removes the file if this process wrote it: in a rolling update, the successor may already have written its own. */
export function removeReadyFile(path: string, pid: number): void {
  try {
    if (JSON.parse(readFileSync(path, 'utf8')).pid === pid) rmSync(path);
  } catch {
    // It was removed or overwritten.
  }
}

function refusal(path: string, error: unknown): StartRefused {
  return new StartRefused(
    `TRADELINE_READY_FILE cannot be written to ${path} (${(error as Error).message}): set it to a file in a folder this user can write.`,
    { cause: error },
  );
}
