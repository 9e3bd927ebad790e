/** The real program in a separate process, as `npm start` runs it, on a temporary data folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';

export interface Program {
  baseUrl: string;
  apiKey: string;
  dataDir: string;
  /** From the start of the process to the response to its first request. */
  firstAnswerMs: number;
  /** The service's login to the embedded PostgreSQL, with its rights. */
  postgres: PostgresEndpoint;
  /** A login that owns the tables, to empty them. */
  postgresOwner: PostgresEndpoint;
  postgresVersion: string;
  pid: number;
  /** Sends one setup request, by default with the key of the first platform. Any status but 2xx is an error. */
  send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Record<string, unknown>>;
  /** Posts all bodies, several at a time. */
  createAll(path: string, bodies: readonly unknown[]): Promise<void>;
  /** Ends the program and waits for its exit. Does nothing if it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface ProgramOptions {
  /** Disposes of the program and its data folder at the end. */
  started: AsyncDisposableStack;
  /** Folder for a CPU profile of the run; null for none. */
  profileFolder: string | null;
  /** The data folder of a program that has ended; by default a new folder. */
  dataDir?: string;
  /** Settings that differ from the defaults. */
  settings?: Record<string, string>;
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const READY_CHECK_MS = 5;
const CREATED_AT_ONCE = 50;

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const dataDir = options.dataDir ?? temporaryFolder(options.started);
  const startedAtMs = performance.now();
  const { child, baseUrl, apiKey } = await launch(dataDir, options);
  const { send, createAll } = clientOf(baseUrl, apiKey);
  await send('GET', '/v1/platform');
  const firstAnswerMs = performance.now() - startedAtMs;
  const embedded = await attachToRunningPostgres(dataDir);
  if (!embedded) throw new Error('The program runs without an embedded PostgreSQL.');
  const postgres = embedded.endpoint('service');
  return {
    baseUrl,
    apiKey,
    dataDir,
    firstAnswerMs,
    pid: child.pid as number,
    postgres,
    postgresOwner: embedded.endpoint('owner'),
    postgresVersion: await versionOf(postgres),
    send,
    createAll,
    end: (signal) => end(child, signal),
  };
}

/** A client with a platform's key. */
export function clientOf(
  baseUrl: string,
  apiKey: string,
): Pick<Program, 'baseUrl' | 'apiKey' | 'send' | 'createAll'> {
  const send: Program['send'] = (method, path, body, key = apiKey) =>
    request(baseUrl + path, { method, apiKey: key, body });
  return {
    baseUrl,
    apiKey,
    send,
    async createAll(path, bodies) {
      for (let at = 0; at < bodies.length; at += CREATED_AT_ONCE)
        await Promise.all(bodies.slice(at, at + CREATED_AT_ONCE).map((body) => send('POST', path, body)));
    },
  };
}

/** Starts a worker process on the database of a program; returns its process id. */
export async function startWorkerProcess(
  { postgres, postgresOwner, baseUrl }: Program,
  started: AsyncDisposableStack,
  settings: Record<string, string>,
): Promise<number> {
  const folder = temporaryFolder(started);
  const readyFile = join(folder, 'ready.json');
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      ...plainEnvironment(),
      PORT: '0',
      TRADELINE_DATA_DIR: join(folder, 'data'),
      TRADELINE_READY_FILE: readyFile,
      TRADELINE_BASE_URL: baseUrl,
      TRADELINE_WORKER: 'only',
      DATABASE_URL: urlOf(postgres),
      DATABASE_OWNER_URL: urlOf(postgresOwner),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.defer(() => end(child, 'SIGTERM'));
  await waitForFile(readyFile, child);
  return child.pid as number;
}

const urlOf = ({ user, password, database, host, port }: PostgresEndpoint) =>
  `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;

/** Starts a program on a data folder that is in use, and waits for its end. Returns its exit code. */
export async function startSecondProgram(
  dataDir: string,
  started: AsyncDisposableStack,
): Promise<number | null> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...plainEnvironment(), PORT: '0', TRADELINE_DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  started.defer(() => end(child, 'SIGTERM'));
  await once(child, 'exit');
  return child.exitCode;
}

/** Runs a command of the program to its end, with these settings. Returns what it printed; another exit code than 0 is an error. */
export async function runCommand(args: readonly string[], settings: Record<string, string>): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [MAIN, ...args], {
    env: { ...plainEnvironment(), ...settings },
  });
  return stdout;
}

/** Starts a program on an existing database. Returns its base URL and its process id. */
export async function startProgramOn(
  settings: Record<string, string>,
  started: AsyncDisposableStack,
): Promise<{ baseUrl: string; pid: number }> {
  const { child, baseUrl } = await launch(temporaryFolder(started), {
    started,
    profileFolder: null,
    settings,
  });
  return { baseUrl, pid: child.pid as number };
}

/** An empty folder that is removed at the end. */
export function temporaryFolder(started: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-bench-'));
  // If the bench runs as root, PostgreSQL's user must reach the folder.
  chmodSync(folder, 0o755);
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the process and waits until it is ready. */
async function launch(
  dataDir: string,
  { started, profileFolder, dataDir: earlier, settings }: ProgramOptions,
): Promise<{ child: ChildProcess; baseUrl: string; apiKey: string }> {
  // After an interruption, nothing would end the process.
  if (started.disposed) throw new Error('The bench was interrupted.');
  const readyFile = join(dataDir, 'ready.json');
  // A killed program leaves its file.
  rmSync(readyFile, { force: true });
  const profiling = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const content = earlier === undefined ? ['--empty'] : [];
  const child = spawn(process.execPath, [...profiling, MAIN, 'serve', ...content], {
    env: {
      ...plainEnvironment(),
      PORT: '0',
      TRADELINE_DATA_DIR: dataDir,
      TRADELINE_READY_FILE: readyFile,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.defer(() => end(child, 'SIGTERM'));
  await waitForFile(readyFile, child);
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(readyFile, 'utf8'));
  return { child, baseUrl, apiKey };
}

/** The environment without settings, because a bench measures the defaults. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/^(TRADELINE_|DATABASE_|WEBHOOK_|SMTP_|HOST$)/.test(name),
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

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
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
