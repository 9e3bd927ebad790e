/** Pages of orders that no index returns in order: a range with another sort, and many merchants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorPageOf } from '#operation/list';
import { buyerBody, merchantBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { readBy } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { listOrderRows, type OrderFilter } from './order-list.queries.ts';

const ORDERS = 40_000;
/** The oldest orders, of 25 merchants that have no other orders. */
const OLDEST = 4_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  await world.post('/v1/buyers', buyerBody({}));
  const merchants = [...old(25), 'merchant'].map((external_id) =>
    world.post('/v1/merchants', merchantBody({ external_id })),
  );
  await Promise.all(merchants);
  // Ten orders in each second.
  await world.sql(
    `insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
    select $1, 'order-' || lpad((n * 7919 % $2)::text, 5, '0'), (array['DRAFT', 'CANCELLED', 'CLOSED', 'CONFIRMED', 'EXPIRED'])[1 + n % 5],
      'buyer', case when n <= $3 then 'old-' || n * 31 % 25 else 'merchant' end, n / 10, n / 10, n * 7 % 40000, 'EUR', n, n, 0, '[]'
    from generate_series(1, $2) n`,
    [world.platform.platform_id, ORDERS, OLDEST],
  );
  await world.sql('vacuum analyze orders');
});
afterAll(() => world.close());

const old = (count: number) => Array.from({ length: count }, (_, nth) => `old-${nth}`);
const queryOf = (filter: OrderFilter) =>
  Object.entries(filter)
    .map(([name, value]) => `&${name}=${value}`)
    .join('');

async function rowsRead(filter: OrderFilter, sort_by: string): Promise<number> {
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
  const page = cursorPageOf({ sort_by, limit: 10, total: false });
  const { rows } = await readBy(world, (db) => listOrderRows({ db, platformId, vault }, filter, page));
  return rows;
}

/** A page, the next one and one at an offset, each with the expected rows. */
async function pages(filter: OrderFilter, where: string, sort: string): Promise<[string[], string[]]> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const expected = await world.sql<{ external_id: string }>(
    `select external_id from orders where ${where} order by ${sort.replace('-', '')} ${direction}, external_id limit 160`,
  );
  const get = async (parameters: string) => {
    const { status, body } = await world.get(`/v1/orders?sort_by=${sort}${queryOf(filter)}&${parameters}`);
    expect([status, body.issues]).toEqual([200, undefined]);
    return body as { items: { external_id: string }[]; next: string | null };
  };
  const first = await get('limit=90&total=false');
  const second = first.next === null ? { items: [] } : await get(`limit=30&after=${first.next}&total=false`);
  const third = await get('limit=40&offset=120&total=false');
  const found = [...first.items, ...second.items, ...third.items];
  return [found.map((order) => order.external_id), expected.map((order) => order.external_id)];
}

const SORTS = ['created_at', 'updated_at', 'ordered_at', 'amount_gross', 'external_id'].flatMap((sort) => [
  sort,
  `-${sort}`,
]);

// On a cluster, the nodes make the plans.
const readsOnOneServer = it.skipIf(isOnCluster());

describe('a page of a range, in another order', () => {
  const OF_OLDEST: OrderFilter = { amount_gross: `1..${OLDEST}` };

  // A bitmap scan counts both the index and the table.
  readsOnOneServer('behind all others reads what the range has, and not the others', async () => {
    expect(await rowsRead(OF_OLDEST, '-created_at')).toBeLessThan(5 * OLDEST);
    expect(await rowsRead({ created_at: `0..${OLDEST / 10}` }, '-updated_at')).toBeLessThan(5 * OLDEST);
  });

  readsOnOneServer('before all others reads few rows, though the range has many', async () => {
    expect(await rowsRead(OF_OLDEST, 'created_at')).toBeLessThan(1_500);
    expect(await rowsRead({ amount_gross: '1..' }, '-created_at')).toBeLessThan(1_500);
  });

  readsOnOneServer('of a few orders of one merchant reads no more than those', async () => {
    expect(
      await rowsRead({ amount_gross: '1..', merchant_external_id: ['old-1'] }, '-created_at'),
    ).toBeLessThan(1_500);
  });

  it.each(SORTS)('is exact, sorted by %s', async (sort) => {
    for (const [filter, where] of [
      [OF_OLDEST, `amount_gross <= ${OLDEST}`],
      [{ amount_gross: '30000..' }, 'amount_gross >= 30000'],
      [
        { created_at: '390..400', amount_gross: '3950..' },
        'created_at between 390 and 400 and amount_gross >= 3950',
      ],
      [
        { updated_at: '100..3000', status: ['DRAFT'] },
        `updated_at between 100 and 3000 and status = 'DRAFT'`,
      ],
      [
        { ordered_at: '..9000', merchant_external_id: old(20), status: ['DRAFT', 'CLOSED'] },
        `ordered_at <= 9000 and merchant_external_id = any('{${old(20)}}') and status in ('DRAFT', 'CLOSED')`,
      ],
    ] as [OrderFilter, string][]) {
      const [found, expected] = await pages(filter, where, sort);
      expect(found).toEqual(expected);
    }
  });
});

describe('a page of many merchants', () => {
  readsOnOneServer.each([14, 20, 25])('reads few rows of each of %i', async (count) => {
    expect(await rowsRead({ merchant_external_id: old(count) }, '-created_at')).toBeLessThan(500);
    expect(
      await rowsRead({ merchant_external_id: old(count), created_at: '..300' }, '-created_at'),
    ).toBeLessThan(500);
    expect(
      await rowsRead({ merchant_external_id: old(count), status: ['DRAFT', 'CLOSED'] }, 'created_at'),
    ).toBeLessThan(500);
  });

  it.each(SORTS)('is exact, sorted by %s', async (sort) => {
    for (const [filter, where] of [
      [{ merchant_external_id: old(20) }, `merchant_external_id = any('{${old(20)}}')`],
      [{ merchant_external_id: [...old(25), 'merchant', 'none'] }, 'true'],
      [
        { merchant_external_id: old(25), created_at: '100..300' },
        `merchant_external_id <> 'merchant' and created_at between 100 and 300`,
      ],
      [
        { merchant_external_id: old(25), status: ['DRAFT'] },
        `merchant_external_id <> 'merchant' and status = 'DRAFT'`,
      ],
      [{ merchant_external_id: Array.from({ length: 30 }, (_, nth) => `none-${nth}`) }, 'false'],
    ] as [OrderFilter, string][]) {
      const [found, expected] = await pages(filter, where, sort);
      expect(found).toEqual(expected);
    }
  });
});
