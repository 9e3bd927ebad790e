/** Migration 0015 on rows of before: orders that were closed, and the lifetime counters of a buyer. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '#infra/database/migrate';
import { patience } from '#test/patience';

const NAME = 'before_0015';
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

const { superuser, owner } = inject('postgres');
const admin = new pg.Client(superuser);
const client = new pg.Client({ ...owner, database: NAME });
/** Writes rows without the ones that they refer to. */
const unchecked = new pg.Client({
  ...superuser,
  database: NAME,
  options: '-c session_replication_role=replica',
});

beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${NAME} owner tradeline_owner`);
  await client.connect();
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const at = { dbClient: client, dir: MIGRATIONS, migrationsTable: 'schema_migrations', logger: quiet };
  await runner({ ...at, direction: 'up', count: 8 });
  await unchecked.connect();
  await unchecked.query(`
    insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
    select 1, id, status, 'cafe', 'm', 1, 1, 1, 'EUR', 1, 1, 0, '[]'
    from (values ('closed', 'CLOSED'), ('open', 'DISBURSED'), ('cancelled', 'CANCELLED')) of_cafe(id, status);
    insert into order_transitions (platform_id, order_external_id, version, to_status, trigger, transitioned_at, actor)
    values (1, 'closed', 1, 'CONFIRMED', 'create', 1, 'a'), (1, 'closed', 2, 'CLOSED', 'settle', 77, 'a'),
      (1, 'open', 1, 'DISBURSED', 'disburse', 5, 'a'), (1, 'cancelled', 1, 'CANCELLED', 'cancel', 6, 'a');
    insert into credit_histories (platform_id, buyer_external_id, orders_closed, invoices_paid, invoices_paid_late)
    values (1, 'cafe', 1, 4, 2)`);
});
afterAll(async () => {
  await unchecked.end();
  await client.end();
  await admin.query(`drop database ${NAME}`);
  await admin.end();
});

it(
  'closed orders of before are facts with their day, and counters without one are not turned into any',
  async () => {
    // The facts refer to a buyer that is not there either.
    const unrelated = { ...superuser, database: NAME, options: '-c session_replication_role=replica' };
    const ran = await migrate(unrelated, () => {});
    expect(ran).toContain('0015_paying_behaviour');
    const rowsOf = async (statement: string) =>
      (await unchecked.query({ text: statement, rowMode: 'array' })).rows;
    expect(await rowsOf('select * from closed_orders')).toEqual([[1, 'cafe', 'closed', '77']]);
    expect(await rowsOf('select * from paid_invoices')).toEqual([]);
    expect(await rowsOf("select to_regclass('credit_histories')")).toEqual([[null]]);
  },
  patience(60),
);
