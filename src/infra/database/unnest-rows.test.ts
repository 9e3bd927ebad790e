import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOnCluster } from '#test/cluster';
import { createWorld, type World } from '#test/world';
import type { Db } from './database.ts';
import { unnestKeys, unnestNumberedKeys, unnestRows } from './unnest-rows.ts';

let world: World;
let db: Db;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  db = world.installation.db;
});
afterAll(() => world.close());

interface Thing {
  id: string;
  amountMinor: number;
  note: string | null;
  sealed: Buffer | null;
  data: object | null;
}

const things = unnestRows<Thing>('t', {
  id: ['uuid', 'id'],
  amount_minor: ['bigint', 'amountMinor'],
  doubled: ['bigint', (thing) => thing.amountMinor * 2],
  note: ['text', 'note'],
  sealed: ['bytea', 'sealed'],
  is_large: ['boolean', (thing) => thing.amountMinor > 100],
  share: ['float8', (thing) => thing.amountMinor / 1_000],
  data: ['jsonb', 'data'],
  raw: ['json', 'data'],
});

const thing = (nth: number): Thing => ({
  id: `00000000-0000-4000-8000-${`${nth}`.padStart(12, '0')}`,
  amountMinor: nth * 51,
  note: nth % 2 ? `a "quoted", {braced} \\ one` : null,
  sealed: Buffer.from([0, nth]),
  data: nth % 2 ? { nth, list: ['{', '"'] } : null,
});

describe('unnested lists', () => {
  it('are rows of the columns’ types, in their order', async () => {
    const { rows } = await sql`select * from ${things([thing(1), thing(2)])}`.execute(db);
    expect(rows).toEqual(
      [thing(1), thing(2)].map(({ id, amountMinor, note, sealed, data }) => ({
        ...{ id, note, sealed, data, raw: data },
        ...{ amount_minor: amountMinor, doubled: amountMinor * 2 },
        ...{ is_large: amountMinor > 100, share: amountMinor / 1_000 },
      })),
    );
  });

  it('of one platform have it as one value, in its column', async () => {
    interface Owned {
      platformId: number;
      id: string;
    }
    const owned = unnestRows<Owned>(
      't',
      { id: ['text', 'id'], platform_id: ['int', 'platformId'], twice: ['text', ({ id }) => id + id] },
      { withNth: true },
    );
    const query = (items: Owned[]) => sql`select * from ${owned(items)}`;
    const [one, other] = [1, 2].map((platformId) => ({ platformId, id: 'a' })) as [Owned, Owned];
    const rowsOf = (...platforms: number[]) =>
      platforms.map((platform_id, at) => ({ id: 'a', platform_id, twice: 'aa', nth: at + 1 }));
    expect((await query([one, one]).execute(db)).rows).toEqual(rowsOf(1, 1));
    expect((await query([one, other]).execute(db)).rows).toEqual(rowsOf(1, 2));
    expect(query([one, one]).compile(db).parameters).toEqual([1, ['a', 'a'], ['aa', 'aa']]);
    expect(query([one, other]).compile(db).parameters).toEqual([
      ['a', 'a'],
      [1, 2],
      ['aa', 'aa'],
    ]);
  });

  it('without items are no rows', async () => {
    expect((await sql`select * from ${things([])}`.execute(db)).rows).toEqual([]);
  });

  it('of bytes have any bytes, none and nothing', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const sealed = [all, null, Buffer.alloc(0), Buffer.alloc(300_000, 0xff), Buffer.from('\\x00')];
    const { rows } =
      await sql`select sealed from ${things(sealed.map((each) => ({ ...thing(1), sealed: each })))}`.execute(
        db,
      );
    expect(rows).toEqual(sealed.map((each) => ({ sealed: each })));
  });

  it('are numbered from 1 with withNth', async () => {
    const keys = ['b', 'a', 'b'].map((externalId) => ({ platformId: 7, externalId }));
    const { rows } = await sql`select external_id, nth from ${unnestNumberedKeys(keys)} order by nth`.execute(
      db,
    );
    expect(rows).toEqual([
      { external_id: 'b', nth: 1 },
      { external_id: 'a', nth: 2 },
      { external_id: 'b', nth: 3 },
    ]);
  });

  // A cluster plans on each call to which node the statement goes.
  it.skipIf(isOnCluster()).each([1, 3, 200])('of %i are planned once, not at each call', async (count) => {
    const keys = Array.from({ length: count }, (_, nth) => ({ platformId: 1, externalId: `${nth}` }));
    await db.connection().execute(async (one) => {
      for (let run = 1; run <= 12; run++)
        await sql`
          select b.legal_name as found from ${unnestKeys(keys)}
          cross join lateral (
            select legal_name from buyers where platform_id = k.platform_id and external_id = k.external_id offset 0
          ) b`.execute(one);
      const { rows } = await sql<{ custom: number; generic: number }>`
        select custom_plans as custom, generic_plans as generic from pg_prepared_statements
        where statement like '%as found%from unnest%' and statement not like '%pg_prepared%'
        order by prepare_time desc limit 1`.execute(one);
      // PostgreSQL makes five custom plans before it compares.
      expect(rows[0]?.custom).toBeLessThanOrEqual(5);
      expect(rows[0]?.generic).toBeGreaterThanOrEqual(7);
    });
  });
});
