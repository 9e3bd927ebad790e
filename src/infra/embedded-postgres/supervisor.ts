/** Keeps PostgreSQL running on a cluster until stop() is called. */
import { closeSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '#kernel/start-refused';
import { postgresArguments } from './arguments.ts';
import { type GuardedProcess, type ProcessEnd, spawnGuarded } from './guarded-process.ts';
import { endLeftovers, readPostmasterFile } from './leftovers.ts';
import { type PostgresLocations, SOCKET_PORT } from './locations.ts';
import { firstFailure, openLog } from './log-file.ts';
import type { PostgresProgram } from './program.ts';

const POLL_MS = 10;
const RECOVERY_SAID_AFTER_MS = 3_000;
const RECOVERING = 'PostgreSQL is recovering from an unclean shutdown; waiting for it.';
const FIRST_START_RETRIED_FOR_MS = 10_000;
const RESTART_DELAY_MIN_MS = 100;
const RESTART_DELAY_MAX_MS = 5_000;
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

export interface Launch {
  locations: PostgresLocations;
  program: PostgresProgram;
  socketFolder: string;
  settings: Record<string, string>;
  /** Whether the data folder is still the locked one. */
  isFolderLocked: () => boolean;
  report: (sentence: string) => void;
}

interface Attempt {
  process: GuardedProcess;
  isReady: boolean;
  /** Why it ended before it was ready. */
  failure: string;
}

export class PostgresSupervisor {
  readonly #launch: Launch;
  readonly #stopping = new AbortController();
  #process: GuardedProcess | undefined;
  #watch: Promise<void> = Promise.resolve();

  private constructor(launch: Launch) {
    this.#launch = launch;
  }

  /** Resolves when PostgreSQL accepts connections. Throws StartRefused if it does not start. */
  static async start(launch: Launch): Promise<PostgresSupervisor> {
    const supervisor = new PostgresSupervisor(launch);
    for (let retriedForMs = 0; ; retriedForMs += RESTART_DELAY_MIN_MS) {
      const attempt = await supervisor.#attempt();
      if (attempt.isReady) {
        supervisor.#watch = supervisor.#keepRunning(attempt.process);
        return supervisor;
      }
      // An ending process may still use the cluster; no other failure improves with time.
      const isHeld = /lock file|shared memory block/.test(attempt.failure);
      if (!isHeld || retriedForMs > FIRST_START_RETRIED_FOR_MS) {
        throw new StartRefused(doesNotStart(launch.locations, attempt.failure));
      }
      await sleep(RESTART_DELAY_MIN_MS);
    }
  }

  /** Fast shutdown: rolls back open transactions and writes everything committed. Resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#process?.signal('SIGINT');
    const escalation = new AbortController();
    void this.#escalate(escalation.signal);
    await this.#watch;
    escalation.abort();
  }

  async #keepRunning(first: GuardedProcess): Promise<void> {
    for (let current: GuardedProcess | undefined = first; current; ) {
      const end: ProcessEnd = await current.end;
      if (this.#isStopping) return;
      this.#launch.report(`PostgreSQL ended unexpectedly (${end.description}); starting it again.`);
      current = await this.#startAgain();
    }
  }

  async #startAgain(): Promise<GuardedProcess | undefined> {
    let saidFailure = '';
    for (
      let delayMs = RESTART_DELAY_MIN_MS;
      !this.#isStopping;
      delayMs = Math.min(2 * delayMs, RESTART_DELAY_MAX_MS)
    ) {
      const attempt = await this.#attempt().catch((error: Error) => ({
        isReady: false,
        failure: error.message,
      }));
      if (attempt.isReady && 'process' in attempt) return attempt.process;
      if (this.#isStopping) return undefined;
      if (attempt.failure !== saidFailure) {
        saidFailure = attempt.failure;
        this.#launch.report(`PostgreSQL does not start (${saidFailure}); trying again until it does.`);
      }
      await sleep(delayMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
    return undefined;
  }

  async #attempt(): Promise<Attempt> {
    const { locations, program, socketFolder, settings, isFolderLocked } = this.#launch;
    if (!isFolderLocked())
      throw new Error('its data folder was removed or replaced under the running Tradeline');
    await endLeftovers(locations.cluster);
    // A stale socket lock file names a pid that may belong to another process now; only we use the folder.
    for (const name of [`.s.PGSQL.${SOCKET_PORT}`, `.s.PGSQL.${SOCKET_PORT}.lock`]) {
      rmSync(join(socketFolder, name), { force: true });
    }
    this.#stopping.signal.throwIfAborted();
    const log = openLog(locations);
    const process = spawnGuarded({
      command: [program.postgres, ...postgresArguments(locations, socketFolder, settings)],
      user: locations.user,
      logDescriptor: log.descriptor,
    });
    closeSync(log.descriptor);
    this.#process = process;
    const end = await this.#readyOrEnd(process).catch(async (error: Error) => {
      process.signal('SIGINT');
      await process.end;
      throw error;
    });
    const failure = end ? firstFailure(locations.logFile, log.startByte) || end.description : '';
    return { process, isReady: !end, failure };
  }

  // Crash recovery may take minutes after a kill under load, and interrupting it would restart it: wait as long as the
  // process lives.
  async #readyOrEnd(process: GuardedProcess): Promise<ProcessEnd | undefined> {
    let end: ProcessEnd | undefined;
    void process.end.then((result) => {
      end = result;
    });
    const { locations, report } = this.#launch;
    for (let waitedMs = 0; !end; waitedMs += POLL_MS) {
      const file = readPostmasterFile(locations.cluster);
      if (file?.pid === process.pid && file?.isReady) return undefined;
      if (waitedMs === RECOVERY_SAID_AFTER_MS) report(RECOVERING);
      await sleep(POLL_MS);
    }
    return end;
  }

  async #escalate(signal: AbortSignal): Promise<void> {
    try {
      await sleep(FAST_SHUTDOWN_MS, undefined, { signal });
      this.#process?.signal('SIGQUIT');
      await sleep(IMMEDIATE_SHUTDOWN_MS, undefined, { signal });
      this.#process?.signal('SIGKILL');
    } catch {
      // It has ended.
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }
}

function doesNotStart({ cluster, logFile }: PostgresLocations, failure: string): string {
  return (
    `PostgreSQL does not start on ${cluster} (${failure}; more in ${logFile}); ` +
    'fix this, or set TRADELINE_DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server of your own.'
  );
}
