import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/world';
import type { Db } from './database.ts';
import { assignmentsOf, jsonb, type NewRowOf, namesOf, type RowOf, table, text } from './table.ts';
import { unnestRows } from './unnest-rows.ts';

const buyers = table('buyers', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  trading_name: 'text',
  business_identifiers: 'jsonb',
  custom_data: 'json',
  registry: jsonb<{ registry: string } | null>(),
  contact_email_sealed: 'bytea',
});

let world: World;
let db: Db;
let row: NewRowOf<typeof buyers>;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  db = world.installation.db;
  const { platform_id } = await db.selectFrom('platforms').select('platform_id').executeTakeFirstOrThrow();
  row = {
    platform_id,
    external_id: 'listed',
    created_at: 1,
    updated_at: 2,
    business_identifiers: [{ type: 'VAT_ID', value: 'DE811907980', country: 'DE' }],
    custom_data: { z: 1, a: ['{', '"'] },
    contact_email_sealed: Buffer.from([0, 92, 255]),
  };
  await db.insertInto('buyers').values(buyers.insertable(row)).execute();
});
afterAll(() => world.close());

async function findListed() {
  return db
    .selectFrom('buyers')
    .select(buyers.columns)
    .where('platform_id', '=', row.platform_id)
    .where('external_id', '=', 'listed')
    .executeTakeFirstOrThrow();
}

describe('a table', () => {
  it('inserts a row: JSON as text, columns left out by their defaults', async () => {
    expect(await findListed()).toEqual({ ...row, version: 1, trading_name: null, registry: null });
  });

  it('updates the columns that are given', async () => {
    const changes = buyers.updateable({ custom_data: { b: [1] }, version: 2 });
    await db.updateTable('buyers').set(changes).where('external_id', '=', 'listed').execute();
    expect(await findListed()).toMatchObject({ custom_data: { b: [1] }, version: 2, updated_at: 2 });
  });

  it('reads a row of JSON as the row itself', async () => {
    const { rows } = await sql<{ row: object }>`
      select to_json(b) as row from (select ${buyers.of('b')} from buyers b where platform_id = ${row.platform_id} and external_id = 'listed') b`.execute(
      db,
    );
    expect(rows.map((read) => buyers.fromJson(read.row))).toEqual([await findListed()]);
  });

  it('reads instants and empty columns from JSON', () => {
    const platforms = table('platforms', { clock_moving_until: 'timestamptz', data_key_wrapped: 'bytea' });
    expect(
      platforms.fromJson({ clock_moving_until: '2030-01-02T03:04:05+00:00', data_key_wrapped: null }),
    ).toEqual({ clock_moving_until: new Date(Date.UTC(2030, 0, 2, 3, 4, 5)), data_key_wrapped: null });
  });

  it('lists columns for a set-based statement', async () => {
    const changed = ['trading_name', 'business_identifiers', 'custom_data'] as const;
    const unnestChanged = unnestRows('u', buyers.list('external_id', ...changed));
    const rows = [{ external_id: 'listed', trading_name: 'A', business_identifiers: [], custom_data: null }];
    await sql`
      update buyers b set ${assignmentsOf(changed, 'u')} from ${unnestChanged(rows)}
      where b.external_id = u.external_id`.execute(db);
    expect(await findListed()).toMatchObject({
      trading_name: 'A',
      business_identifiers: [],
      custom_data: null,
    });
  });

  it('writes the names of columns', () => {
    expect(sql`${namesOf(['a', 'b'])}; ${buyers.of('x')}`.compile(db).sql).toBe(
      `a, b; ${buyers.columns.map((column) => `x.${column}`).join(', ')}`,
    );
  });

  it('refuses what the schema does not have, as a type error', () => {
    // @ts-expect-error: bytes are not text.
    table('buyers', { contact_email_sealed: 'text' });
    // @ts-expect-error: there is no such column.
    table('buyers', { shoe_size: 'int' });
    // @ts-expect-error: an insert needs it.
    const incomplete: NewRowOf<typeof buyers> = { platform_id: 1 };
    const orders = table('orders', { status: text<'DRAFT' | 'PLACED'>() });
    const order: RowOf<typeof orders> = { status: 'DRAFT' };
    expect([incomplete, order]).toHaveLength(2);
  });
});
