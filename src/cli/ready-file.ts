/** The file that tells a script that the server answers, and where. */
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive } from '#infra/embedded-postgres/leftovers';
import { StartRefused } from '#kernel/start-refused';

export interface Readiness {
  base_url: string;
  /** Null where no key may be shown. */
  api_key: string | null;
  console_url: string | null;
  /** Of a draft of the demo story, to walk through; null where there is none. */
  checkout_url: string | null;
  pid: number;
}

/** Refuses before the start what could only fail after it, and removes the file of a process that was killed. */
export function prepareReadyFile(path: string, dataDir: string): void {
  // A first start makes this folder later, with rights of its own.
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
  // In a container every process may have had this very number.
  return pid === undefined || Number(pid) === process.pid || !isAlive(Number(pid));
}

/** Written whole under another name: whoever waits for the file never reads half of it. */
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

/** Where the running service is reached; null where the file says nothing of one. */
export function readBaseUrl(path: string): string | null {
  try {
    const { base_url: baseUrl, pid } = JSON.parse(readFileSync(path, 'utf8')) as Readiness;
    return isAlive(pid) ? baseUrl : null;
  } catch {
    return null;
  }
}

/** Leaves a file of another process alone: in a rolling update the successor may have written its own already. */
export function removeReadyFile(path: string, pid: number): void {
  try {
    if (JSON.parse(readFileSync(path, 'utf8')).pid === pid) rmSync(path);
  } catch {
    // Somebody else has removed or overwritten it: there is nothing of ours left to remove.
  }
}

function refusal(path: string, error: unknown): StartRefused {
  return new StartRefused(
    `TRADELINE_READY_FILE cannot be written to ${path} (${(error as Error).message}): set it to a file in a folder this user can write.`,
    { cause: error },
  );
}
