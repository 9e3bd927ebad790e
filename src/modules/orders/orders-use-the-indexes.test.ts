/** The tables and indexes that PostgreSQL reads for lists of orders, for new orders and for expiring ones, with 40,000 orders. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderExpiries } from '#modules/orders';
import { buyerBody, merchantBody } from '#test/bodies';
import { indexesOf, plansOf, plansOfList, sortsOf, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { findPrecedingOrders } from './order.queries.ts';
import { listOrderRows, type OrderFilter } from './order-list.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  for (const external_id of ['buyer', 'other']) {
    await world.post('/v1/buyers', buyerBody({ external_id }));
    await world.post(
      '/v1/merchants',
      merchantBody({ external_id: external_id.replace('buyer', 'merchant') }),
    );
  }
  // A third have one buyer and merchant and another currency; half a percent each have a rare buyer or merchant, another status, or are
  // about to expire.
  await world.sql(
    `insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      ordered_at, currency, amount_net, amount_gross, amount_tax, line_items, expires_at)
    select $1, 'order-' || n, case n % 200 when 0 then 'EXPIRED' else 'CONFIRMED' end,
      case n % 3 when 0 then 'buyer' else 'other' end, case n % 3 when 0 then 'merchant' else 'other' end, n, 50000 - n,
      n * 7 % 40000, case when n % 200 = 1 then 'PLN' when n % 3 = 0 then 'EUR' else 'CHF' end, n % 9973 + 1, n % 9973 + 1, 0, '[]',
      case when n % 200 = 2 then 100000 + n end
    from generate_series(1, 40000) n`,
    [world.platform.platform_id],
  );
  await world.sql('vacuum analyze orders, buyers, platforms');
});
afterAll(() => world.close());

const listed = (filter: OrderFilter, sort?: string) =>
  plansOfList(world, sort, (context, page) => listOrderRows(context, filter, page));
const wholeOrders = (plans: Parameters<typeof tablesReadWhole>[0]) =>
  tablesReadWhole(plans).filter((table) => table === 'orders');

describe('no list reads all orders', () => {
  it.each<[string, OrderFilter, string | undefined, string]>([
    ['some ids', { external_id: ['order-1', 'order-2'] }, undefined, 'orders_pkey'],
    ['a rare status', { status: ['EXPIRED'] }, undefined, 'orders_by_created_at'],
    ['a rare currency', { currency: ['PLN'] }, undefined, 'orders_by_currency'],
    ['what was changed lately', { updated_at: '49900..' }, '-updated_at', 'orders_by_updated_at'],
    ['what was sent in lately', { created_at: '39900..' }, undefined, 'orders_by_created_at'],
    ['a day of ordering', { ordered_at: '100..200' }, '-ordered_at', 'orders_by_ordered_at'],
    ['the largest amounts', { amount_gross: '9900..' }, '-amount_gross', 'orders_by_amount'],
  ])('for %s', async (_, filter, sort, index) => {
    const plans = await listed(filter, sort);
    expect(plans.length).toBeGreaterThanOrEqual(3);
    expect(wholeOrders(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain(index);
  });

  it.each([
    'created_at',
    '-created_at',
    'updated_at',
    '-updated_at',
    'ordered_at',
    '-ordered_at',
    'amount_gross',
    '-amount_gross',
    'external_id',
  ])('for its first page, sorted by %s', async (sort) => {
    const [page] = await listed({}, sort);
    expect(wholeOrders(page ? [page] : [])).toEqual([]);
  });
});

describe('a common value and a rare status', () => {
  it.each<[string, OrderFilter, string | undefined, string]>([
    ['the buyer', { buyer_external_id: ['buyer'], status: ['EXPIRED'] }, undefined, 'orders_by_buyer'],
    [
      'the merchant',
      { merchant_external_id: ['merchant'], status: ['EXPIRED'] },
      undefined,
      'orders_by_merchant',
    ],
    ['the currency', { currency: ['EUR'], status: ['EXPIRED'] }, undefined, 'orders_by_currency'],
    ...(['created_at', 'updated_at', 'ordered_at', 'amount_gross'] as const).map(
      (column): [string, OrderFilter, string, string] => [
        `sorted by ${column}`,
        { status: ['EXPIRED', 'CONFIRMED'] },
        `-${column}`,
        `orders_by_${column === 'amount_gross' ? 'amount' : column}`,
      ],
    ),
  ])('of %s read one range of an index, in order, and count nothing', async (_, filter, sort, index) => {
    const [keys, total] = await listed(filter, sort);
    expect(indexesOf(keys ? [keys] : [])).toEqual([index]);
    expect(sortsOf(keys ? [keys] : [])).toEqual([]);
    if (filter.currency === undefined)
      expect(indexesOf(total ? [total] : [])).toEqual(['list_count_changes_pkey', 'list_counts_pkey']);
  });
});

describe('a new order', () => {
  it('reads no order of its buyer but one that was placed before', async () => {
    const buyer = { platformId: world.platform.platform_id, buyerExternalId: 'buyer' };
    const plans = await plansOf(world, (db) => findPrecedingOrders(db, { ...buyer, externalId: 'new' }));
    expect(wholeOrders(plans)).toEqual([]);
    expect(indexesOf(plans).sort()).toEqual(['orders_pkey', 'orders_placed_by_buyer']);
  });
});

describe('no sweep reads all orders', () => {
  it('for the platforms where one has expired', async () => {
    const plans = await plansOf(world, (db) => orderExpiries.findPlatforms(db, 100_500));
    expect(wholeOrders(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain('orders_due');
  });

  it('for the next one that expires', async () => {
    const plans = await plansOf(world, (db) =>
      orderExpiries.findNext(db, world.platform.platform_id, 100_500, 1, []),
    );
    // With only one platform, both indexes are the same.
    expect(wholeOrders(plans)).toEqual([]);
    expect(['orders_expiring', 'orders_due']).toEqual(expect.arrayContaining(indexesOf(plans)));
  });
});
