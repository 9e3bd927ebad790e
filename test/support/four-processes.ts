/** Two processes that serve requests and two that work in the background, on one PostgreSQL. */
import { query } from './embedded-postgres-processes.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { endPrograms, type RunningProgram, startProgram } from './program.ts';
import type { Stage } from './writes-under-kills.ts';

const LOGIN = 'tradeline';
const DATABASE = 'four';

export type Kind = 'api' | 'worker';

export class FourProcesses implements Stage {
  readonly running: Record<Kind, RunningProgram[]> = { api: [], worker: [] };
  #postgres: OwnPostgres | undefined;
  #env: Record<string, string> = {};

  async start(): Promise<RunningProgram> {
    this.#postgres = await startOwnPostgres();
    const password = await this.#postgres.addLogin(LOGIN, 'createrole');
    await this.#postgres.addDatabase(DATABASE, LOGIN);
    this.#env = {
      DATABASE_URL: this.#postgres.url(LOGIN, password, DATABASE),
      TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      TRADELINE_RATE_LIMIT_PER_SECOND: '0',
    };
    for (const nth of [0, 1]) await this.begin('api', nth);
    for (const nth of [0, 1]) await this.begin('worker', nth);
    return this.running.api[0] as RunningProgram;
  }

  /** Starts the process, or starts it again. */
  async begin(kind: Kind, nth: number): Promise<RunningProgram> {
    const [first] = this.running.api;
    const program = await startProgram({
      args: ['--empty'],
      env: {
        ...this.#env,
        ...(kind === 'api'
          ? { TRADELINE_WORKER: 'off' }
          : { TRADELINE_WORKER: 'only', TRADELINE_BASE_URL: first?.baseUrl ?? '' }),
      },
    });
    this.running[kind][nth] = program;
    return program;
  }

  others(): RunningProgram[] {
    return this.running.api.slice(1);
  }

  async audit() {
    const connectionString = this.#env.DATABASE_URL as string;
    return (sql: string) => query({ connectionString }, sql);
  }

  async stop(): Promise<void> {
    await this.#postgres?.stop();
    await endPrograms();
  }
}
