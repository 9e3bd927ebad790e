/** The real program in a separate process, as `npm start` runs it, on an empty temporary data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';

export interface Program {
  baseUrl: string;
  apiKey: string;
  /** The service's login to the embedded PostgreSQL, with its rights. */
  postgres: PostgresEndpoint;
  /** A login that owns the tables, to empty them. */
  postgresOwner: PostgresEndpoint;
  postgresVersion: string;
  /** Sends one setup request. Any status but 2xx is an error. */
  send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Posts all of them, several at a time. */
  createAll(path: string, bodies: readonly unknown[]): Promise<void>;
}

export interface ProgramOptions {
  /** Collects what must end: the program, and its data folder. */
  started: AsyncDisposableStack;
  /** Folder for a CPU profile of the run; null for none. */
  profileFolder: string | null;
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const READY_CHECK_MS = 20;
const CREATED_AT_ONCE = 50;

export async function startProgram({ started, profileFolder }: ProgramOptions): Promise<Program> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradeline-bench-'));
  const readyFile = join(dataDir, 'ready.json');
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const child = spawn(process.execPath, [...profiling, MAIN, 'serve', '--empty'], {
    env: { ...plainEnvironment(), PORT: '0', TRADELINE_DATA_DIR: dataDir, TRADELINE_READY_FILE: readyFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.defer(async () => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  });
  await waitForFile(readyFile, child);
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(readyFile, 'utf8'));
  const embedded = await attachToRunningPostgres(dataDir);
  if (!embedded) throw new Error('The program runs without an embedded PostgreSQL.');
  const postgres = embedded.endpoint('service');
  return {
    baseUrl,
    apiKey,
    postgres,
    postgresOwner: embedded.endpoint('owner'),
    postgresVersion: await versionOf(postgres),
    send: (method, path, body) => request(baseUrl + path, { method, apiKey, body }),
    async createAll(path, bodies) {
      for (let at = 0; at < bodies.length; at += CREATED_AT_ONCE) {
        const some = bodies.slice(at, at + CREATED_AT_ONCE);
        await Promise.all(some.map((body) => request(baseUrl + path, { method: 'POST', apiKey, body })));
      }
    },
  };
}

/** The environment without settings, because a bench measures the defaults. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/^(TRADELINE_|DATABASE_|WEBHOOK_|HOST$)/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

async function waitForFile(path: string, child: ChildProcess): Promise<void> {
  let said = '';
  child.stdout?.on('data', (text) => {
    said += text;
  });
  child.stderr?.on('data', (text) => {
    said += text;
  });
  while (!existsSync(path)) {
    if (hasEnded(child)) throw new Error(`The program did not start:\n${said}`);
    await sleep(READY_CHECK_MS);
  }
}

async function versionOf(postgres: PostgresEndpoint): Promise<string> {
  const client = new pg.Client(postgres);
  await client.connect();
  const { rows } = await client.query('show server_version');
  await client.end();
  return rows[0].server_version;
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function request(
  url: string,
  { method, apiKey, body }: { method: string; apiKey: string; body: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
