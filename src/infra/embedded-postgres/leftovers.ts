/** Ends the processes that an earlier run left on a cluster. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartRefused } from '#kernel/start-refused';

const POLL_MS = 20;
// The guard has already requested a fast shutdown, whose checkpoint takes long on a slow disk. The signals help if the
// guard was killed too. SIGINT is PostgreSQL's fast shutdown, SIGQUIT ends it without a checkpoint.
const PATIENCE: readonly { afterMs: number; signal: NodeJS.Signals }[] = [
  { afterMs: 3_000, signal: 'SIGINT' },
  { afterMs: 10_000, signal: 'SIGQUIT' },
  { afterMs: 20_000, signal: 'SIGKILL' },
];
const GIVE_UP_MS = 30_000;

/**
 * Resolves when no PostgreSQL runs on the cluster. The caller has the data folder's lock, so running processes are orphans. A postmaster
 * gets time to shut down. Backends without a postmaster are killed immediately: they keep the shared memory as long as their query runs,
 * and no postmaster can start until it is free. Throws StartRefused.
 */
export async function endLeftovers(cluster: string): Promise<void> {
  const isPostmasterOf = process.platform === 'linux' ? isPostmasterOnLinux : isPostmasterElsewhere;
  const pid = readPostmasterFile(cluster)?.pid;
  if (pid !== undefined && (await isPostmasterOf(pid, cluster))) {
    await endPostmaster(cluster, () => isPostmasterOf(pid, cluster), pid);
  } else if (pid !== undefined && isAlive(pid)) {
    // PostgreSQL would take an unrelated process with this pid for the old postmaster and refuse every start.
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
  if (process.platform === 'linux') await killBackends(cluster);
}

export interface PostmasterFile {
  pid: number;
  socketFolder: string;
  isReady: boolean;
}

/** PostgreSQL's lock file, which also has the progress of its start; undefined if there is none. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return undefined;
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7]?.trim() === 'ready' };
}

async function endPostmaster(cluster: string, isThere: () => Promise<boolean>, pid: number): Promise<void> {
  const remaining = [...PATIENCE];
  for (let waitedMs = 0; await isThere(); waitedMs += POLL_MS) {
    if (remaining[0] && waitedMs >= remaining[0].afterMs) signalIfThere(pid, remaining.shift()?.signal);
    if (waitedMs >= GIVE_UP_MS) {
      throw new StartRefused(
        `PostgreSQL of an earlier run (pid ${pid}) still runs on ${cluster} and cannot be stopped; ` +
          'stop it yourself, or set TRADELINE_DATA_DIR to another folder.',
      );
    }
    await sleep(POLL_MS);
  }
}

async function killBackends(cluster: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < GIVE_UP_MS; waitedMs += POLL_MS) {
    const backends = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && worksIn(pid, cluster));
    if (backends.length === 0) return;
    for (const pid of backends) signalIfThere(pid, 'SIGKILL');
    await sleep(POLL_MS);
  }
}

async function isPostmasterOnLinux(pid: number, cluster: string): Promise<boolean> {
  return worksIn(pid, cluster);
}

// Every PostgreSQL process works in its cluster's folder. Compared by inode, because paths differ between containers.
function worksIn(pid: number, cluster: string): boolean {
  try {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false;
    const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    return false;
  }
}

async function isPostmasterElsewhere(pid: number, cluster: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.includes('postgres') && stdout.includes(cluster);
  } catch {
    return false;
  }
}

/** Whether a process with this pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals | undefined): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}
