/** The program as an operator runs it: a separate process with its own data folder, reached over real sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithWorker } from './children.ts';
import { untilNothingRunsBelow } from './embedded-postgres-processes.ts';
import { patience } from './patience.ts';
import { until, waitingFor } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const mainOf = (root: string) => join(root, 'src', 'main.ts');

export interface ProgramOptions {
  /** Settings by the names of their environment variables. They override PORT=0 and a new data folder and ready file. */
  env?: Record<string, string>;
  /** The arguments after `serve`. */
  args?: string[];
  /** The data folder of an earlier program, to start again on it; by default a new temporary one. */
  dataDir?: string;
  /** The folder of the program; by default the repository. */
  root?: string;
  /** The user that runs it, if the tests run as root; by default the user of the tests. */
  user?: User;
}

export interface User {
  uid: number;
  gid: number;
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A started process, ready or not. */
export interface LaunchedProgram {
  pid: number;
  dataDir: string;
  /** Its settings for other commands, with the key of its first operator once it is ready. */
  env: Record<string, string>;
  /** Standard output and standard error so far, as they came. */
  output(): string;
  /** The content of the ready file. Rejects with the output if the process ends first. */
  ready: Promise<{ baseUrl: string; apiKey: string | null; operatorKey: string | null; pid: number }>;
  exited: Promise<ProgramEnd>;
  /** Sends the signal and returns the exit code once the process has ended; null if the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface RunningProgram extends LaunchedProgram {
  baseUrl: string;
  /** The key in the banner; only an installation in production has none. */
  apiKey: string;
}

const folders: string[] = [];
const running = new Set<ChildProcess>();

/** Starts `tradeline serve` and returns when it is ready for requests. Call `endPrograms` after the tests. */
export async function startProgram(options: ProgramOptions = {}): Promise<RunningProgram> {
  const program = launchProgram(options);
  const { baseUrl, apiKey, operatorKey } = await program.ready;
  const env = { ...program.env, ...(operatorKey !== null && { TRADELINE_OPERATOR_KEY: operatorKey }) };
  return { ...program, env, baseUrl, apiKey: apiKey ?? '' };
}

/** Starts `tradeline serve` without waiting, for a test that kills it during the start. */
export function launchProgram({
  env = {},
  args = [],
  dataDir,
  root = ROOT,
  user,
}: ProgramOptions = {}): LaunchedProgram {
  const folder = dataDir ?? join(temporaryFolder(user), 'data');
  const settings: Record<string, string> = {
    PORT: '0',
    TRADELINE_DATA_DIR: folder,
    TRADELINE_READY_FILE: join(temporaryFolder(user), 'ready.json'),
    ...env,
  };
  const child = spawn(process.execPath, [mainOf(root), 'serve', ...args], {
    cwd: root,
    ...user,
    env: { ...bareEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(endWithWorker(child));
  const read = collectOutput(child);
  const exited = endOf(child);
  const ready = waitForReadyFile(settings.TRADELINE_READY_FILE as string, child, exited, read);
  // A test that only kills the process does not await `ready`.
  ready.catch(() => {});
  return {
    pid: child.pid as number,
    dataDir: folder,
    env: settings,
    output: () => read().all,
    ready,
    exited,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      return (await exited).code;
    },
  };
}

export interface CommandResult extends ProgramEnd {
  stdout: string;
  /** Without the line about the location of the data. */
  stderr: string;
  /** The line about the location of the data. */
  data?: string;
}

/** The first line of a command that opened an installation. */
export const DATA_LINE = /^(Platform: [a-z0-9-]+, data|Data): .+\n/;

/** On an idle reference machine. */
const COMMAND_SECONDS_MAX = 20;

/** Runs `tradeline <args>` to its end, with or without a running server. Kills a command that takes too long. */
export async function runCommand(
  args: string[],
  env: Record<string, string> = {},
  { root = ROOT, cwd = root }: { root?: string; cwd?: string } = {},
): Promise<CommandResult> {
  const { ended } = launchCommand(args, env, { root, cwd });
  return ended;
}

/** Starts `tradeline <args>`, for a test that kills it while it runs. */
export function launchCommand(
  args: string[],
  env: Record<string, string>,
  { root = ROOT, cwd = root }: { root?: string; cwd?: string } = {},
): { pid: number; ended: Promise<CommandResult> } {
  const child = spawn(process.execPath, [mainOf(root), ...args], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(endWithWorker(child));
  const timer = setTimeout(() => child.kill('SIGKILL'), patience(COMMAND_SECONDS_MAX));
  const read = collectOutput(child);
  const end = async () => {
    const how = await waitingFor(`the end of tradeline ${args.join(' ')}`, () => endOf(child));
    clearTimeout(timer);
    const { stdout, stderr } = read();
    const [data] = DATA_LINE.exec(stderr) ?? [];
    return { ...how, stdout, stderr: stderr.replace(DATA_LINE, ''), ...(data !== undefined && { data }) };
  };
  return { pid: child.pid as number, ended: end() };
}

/** A folder for one test file that PostgreSQL's user may traverse, also if the tests run as root. */
export function temporaryFolder(owner?: User): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-program-'));
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  folders.push(folder);
  return folder;
}

const PROGRAM = [
  'bin',
  'src',
  'docs',
  'migrations',
  'policies',
  'registry',
  'package.json',
  'config.default.env',
];

/** A copy of the program, whose folder also contains its data by default. */
export function copyOfProgram(owner?: User): string {
  const root = temporaryFolder(owner);
  for (const path of PROGRAM) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  if (owner)
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      chownSync(join(root, path), owner.uid, owner.gid);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** Kills processes that a failed test left running, checks that none remains, and removes the folders. For `afterAll`. */
export async function endPrograms(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    await untilNothingRunsBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without the tests' own settings: a DATABASE_URL of the developer's shell must not reach the program. */
function bareEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'].map((name) => [name, process.env[name]]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

function collectOutput(child: ChildProcess): () => { stdout: string; stderr: string; all: string } {
  const texts = { stdout: '', stderr: '', all: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      texts.all += text;
    });
  }
  return () => texts;
}

/** Resolves after its output is read to the end. */
function endOf(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
}

/** On an idle reference machine. A first start creates a database. */
const READY_SECONDS_MAX = 20;

function readIfThere(path: string) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function waitForReadyFile(
  path: string,
  child: ChildProcess,
  exited: Promise<ProgramEnd>,
  read: () => { all: string },
) {
  let end: ProgramEnd | null = null;
  void exited.then((ended) => {
    end = ended;
  });
  const readyFile = () => {
    if (end)
      throw new Error(`The program ended (${JSON.stringify(end)}) before it was ready:\n${read().all}`);
    // A killed program leaves its file, which the next one removes. Only the file of the next one counts.
    const ready = readIfThere(path);
    if (ready?.pid !== child.pid) return undefined;
    // The program prints its address before it writes the file, but the file can be seen before the pipe is read.
    return read().all.includes(ready.base_url) ? ready : undefined;
  };
  const ready = await waitingFor('the ready file of tradeline serve', () =>
    until(readyFile, READY_SECONDS_MAX).catch((error: Error) => {
      throw new Error(`${error.message}\n${read().all}`);
    }),
  );
  return {
    baseUrl: ready.base_url as string,
    apiKey: ready.api_key as string | null,
    operatorKey: ready.operator_key as string | null,
    pid: ready.pid as number,
  };
}
