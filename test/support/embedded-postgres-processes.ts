/** Starts, watches and kills processes with an embedded PostgreSQL in them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { EmbeddedPostgresOptions, PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { endWithWorker } from './children.ts';
import { until } from './until.ts';

const PROGRAM = fileURLToPath(new URL('embedded-postgres-process.ts', import.meta.url));

/** Faster settings that suffice for a temporary cluster. */
export const FAST = { fsync: 'off', shared_buffers: '16MB' };

const children: ChildProcess[] = [];

/** Ends the processes that a failed test left running. */
export function killStarted(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

type Options = Omit<EmbeddedPostgresOptions, 'report'>;

export interface Ready {
  afterMs: number;
  endpoints: Record<'service' | 'owner' | 'superuser', PostgresEndpoint>;
}

export interface Started {
  process: ChildProcess;
  said: string[];
  line(kind: 'ready'): Promise<Ready>;
  line(kind: 'said' | 'refused'): Promise<string>;
  stop(): Promise<void>;
}

export const start = (options: Options) => watch(spawnProgram(process.execPath, options));

export function startAs(user: string, options: Options): Started {
  return watch(
    spawnProgram('setpriv', options, [
      '--reuid',
      user,
      '--regid',
      'nogroup',
      '--clear-groups',
      process.execPath,
    ]),
  );
}

function spawnProgram(command: string, options: Options, args: string[] = []): ChildProcess {
  const json = JSON.stringify({ settings: FAST, ...options });
  const child = spawn(command, [...args, PROGRAM, json], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(endWithWorker(child));
  return child;
}

function watch(child: ChildProcess): Started {
  const lines: Record<string, unknown>[] = [];
  const said: string[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    const line = JSON.parse(text);
    if (line.said) said.push(line.said);
    lines.push(line);
  });
  const line = (kind: string) =>
    until(() => {
      const found = lines.find((candidate) => kind in candidate);
      const other = lines.find((candidate) => 'refused' in candidate || 'failed' in candidate);
      if (!found && other) throw new Error(`waited for ${kind}, got ${JSON.stringify(other)}`);
      return found?.[kind];
    });
  return {
    process: child,
    said,
    line: line as Started['line'],
    async stop() {
      child.kill('SIGTERM');
      await line('stopped');
    },
  };
}

export async function query(endpoint: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(endpoint);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export const answers = (endpoint: PostgresEndpoint) =>
  query(endpoint, 'select 1').then(
    () => true,
    () => false,
  );

export const untilNothingRunsBelow = (path: string) => until(() => processesBelow(path).length === 0);

/** Processes whose working folder is below the path, or that guard such a process. Works only on Linux. */
export function processesBelow(path: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [
          {
            pid: Number(name),
            cwd: readlinkSync(`/proc/${name}/cwd`),
            command: readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0'),
          },
        ];
      } catch {
        return [];
      }
    });
  const inside = all.filter(
    ({ cwd, command }) =>
      cwd.startsWith(path) ||
      (command[0]?.endsWith('/postgres') && command.some((word) => word.startsWith(path))),
  );
  const guards = all.filter(
    ({ command }) => command[3] === 'tradeline-guard' && inside.some(({ pid }) => String(pid) === command[4]),
  );
  return [...inside, ...guards].map(({ pid, command }) => ({ pid, command: command.join(' ') }));
}
