/** One real PostgreSQL for the whole test run, with a migrated template that each test file's database is cloned from. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#infra/database/migrate';
import { type PostgresEndpoint, startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { superuser: PostgresEndpoint; owner: PostgresEndpoint; service: PostgresEndpoint };
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
  const postgres = await startEmbeddedPostgres({ dataDir, settings, say: () => {} });
  const superuser = new pg.Client(postgres.endpoint('superuser'));
  await superuser.connect();
  await superuser.query(`create database ${TEMPLATE_DATABASE} owner tradeline_owner`);
  await superuser.end();
  await migrate({ ...postgres.endpoint('owner'), database: TEMPLATE_DATABASE }, () => {});
  project.provide('postgres', {
    superuser: postgres.endpoint('superuser'),
    owner: postgres.endpoint('owner'),
    service: postgres.endpoint('service'),
  });
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
