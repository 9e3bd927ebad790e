/** One real PostgreSQL for the whole test run, with a migrated template from which each test file's database is cloned. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#infra/database/migrate';
import { type PostgresEndpoint, startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { measureSlowness } from './slowness.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      superuser: PostgresEndpoint;
      owner: PostgresEndpoint;
      service: PostgresEndpoint;
      /** The servers on which to create a database, as superuser: one server, or each node of a cluster. */
      nodes: PostgresEndpoint[];
    };
  }
}

export const TEMPLATE_DATABASE = 'tradeline_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradeline-test-'));
  // Durability is tested by tests that start their own server; here speed counts.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  };
  const postgres = await startEmbeddedPostgres({ dataDir, settings, report: () => {} });
  const superuser = new pg.Client(postgres.endpoint('superuser'));
  await superuser.connect();
  project.provide('slowness', await measureSlowness(superuser));
  await superuser.query(`create database ${TEMPLATE_DATABASE} owner tradeline_owner`);
  await superuser.end();
  await migrate({ ...postgres.endpoint('owner'), database: TEMPLATE_DATABASE }, () => {});
  project.provide('postgres', {
    superuser: postgres.endpoint('superuser'),
    owner: postgres.endpoint('owner'),
    service: postgres.endpoint('service'),
    nodes: [postgres.endpoint('superuser')],
  });
  const end = () => endAtOnce(dataDir);
  // A stopped run does not wait for its teardown.
  process.once('exit', end);
  return async () => {
    process.off('exit', end);
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

const END_MS_MAX = 3_000;

/** Ends PostgreSQL without a checkpoint, and removes its folder. Synchronous, because it runs while the process exits. */
function endAtOnce(dataDir: string): void {
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  try {
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT');
  } catch {
    // It has already ended.
  }
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; existsSync(pidFile) && waitedMs < END_MS_MAX; waitedMs += 20)
    Atomics.wait(pause, 0, 0, 20);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
