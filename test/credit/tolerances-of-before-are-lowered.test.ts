/** Migration 0011 on settings of before, whose tolerance could be up to 100 percent. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '#infra/database/migrate';
import { patience } from '#test/patience';

const NAME = 'before_0011';
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

const { superuser, owner } = inject('postgres');
const admin = new pg.Client(superuser);
const client = new pg.Client({ ...owner, database: NAME });

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${NAME} owner tradeline_owner`);
  await client.connect();
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const at = { dbClient: client, dir: MIGRATIONS, migrationsTable: 'schema_migrations', logger: quiet };
  await runner({ ...at, direction: 'up', count: 8 });
  await client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    values ('old', 'Old', 1, 'DE', 'EUR', '');
    insert into credit_settings (platform_id, buyer_external_id, tolerance_percent, overdue_stop_days, set_at, set_by)
    values (1, '', 100, 60, 1, 'operator:Ada'), (1, 'exact', 25, null, 1, 'operator:Ada'), (1, 'none', null, 5, 1, 'operator:Ada')`);
});
afterAll(async () => {
  await client.end();
  await admin.query(`drop database ${NAME}`);
  await admin.end();
});

it(
  'a tolerance above 25 percent becomes 25, and all else is kept',
  async () => {
    await migrate({ ...owner, database: NAME }, () => {});
    const { rows } = await client.query({
      text: 'select buyer_external_id, tolerance_percent, overdue_stop_days, set_by, approved_by from credit_settings order by 1',
      rowMode: 'array',
    });
    expect(rows).toEqual([
      ['', 25, 60, 'operator:Ada', null],
      ['exact', 25, null, 'operator:Ada', null],
      ['none', null, 5, 'operator:Ada', null],
    ]);
  },
  patience(60),
);
