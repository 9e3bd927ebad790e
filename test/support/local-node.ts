/** A cluster node on this machine that a test kills and starts again. Linux only. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { readPostmasterFile } from '#infra/embedded-postgres/leftovers';
import { on } from './cluster.ts';
import { answers } from './embedded-postgres-processes.ts';
import { eventually, until } from './until.ts';

export interface LocalNode {
  endpoint: PostgresEndpoint;
  /** Kills all processes of PostgreSQL at the same time, like a power failure. */
  kill(): Promise<void>;
  /** Resolves when it accepts connections. */
  start(): Promise<void>;
}

/** Null for a node whose PostgreSQL does not run on this machine. */
export async function findLocalNode(endpoint: PostgresEndpoint): Promise<LocalNode | null> {
  const folder = await on(endpoint, async (admin) => {
    const { rows } = await admin.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    );
    return rows[0]?.folder as string;
  });
  const server = findServer(folder);
  if (!server) return null;
  const { program, uid, gid } = server;
  return {
    endpoint,
    async kill() {
      const pid = findServer(folder)?.pid as number;
      for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGKILL');
      await until(async () => !(await answers(endpoint)));
    },
    async start() {
      const args = ['start', '-D', folder, '-l', `${folder}.log`, '-w', '-s'];
      // Retries until the killed processes have released their memory.
      const start = () => promisify(execFile)(join(dirname(program), 'pg_ctl'), args, { uid, gid, cwd: '/' });
      await eventually(start);
      await until(() => answers(endpoint));
    },
  };
}

function findServer(folder: string) {
  try {
    const pid = readPostmasterFile(folder)?.pid;
    if (pid === undefined) return null;
    const { uid, gid } = statSync(`/proc/${pid}`);
    const isServer = readlinkSync(`/proc/${pid}/cwd`) === folder;
    return isServer ? { pid, uid, gid, program: readlinkSync(`/proc/${pid}/exe`) } : null;
  } catch {
    return null;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The state and the parent follow the name of the program, which is in parentheses.
        const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return Number(rest.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}
