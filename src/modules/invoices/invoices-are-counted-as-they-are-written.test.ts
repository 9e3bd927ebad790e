/** The totals of lists of invoices are maintained: they are what counting would give, before and after changes are folded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldListCounts } from '#operation/list-counts.queries';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const INVOICES = 12;

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { financing_currencies: ['GBP'] },
  });
  for (const external_id of ['buyer', 'other']) await world.post('/v1/buyers', buyerBody({ external_id }));
  for (const external_id of ['merchant', 'second'])
    await world.post('/v1/merchants', merchantBody({ external_id }));
  await Promise.all(Array.from({ length: INVOICES }, (_, index) => create(index)));
  for (const id of ['invoice-0', 'invoice-1']) await world.post(`/v1/invoices/${id}/refund`);
  await world.post('/v1/invoices/invoice-2/paid');
});
afterAll(() => world.close());

/** Every third invoice belongs to the other buyer, every fourth to the second merchant, and every sixth is in pounds. */
const create = (index: number) =>
  world.post(
    '/v1/invoices',
    invoiceBody({
      external_id: `invoice-${index}`,
      buyer_external_id: index % 3 === 0 ? 'other' : 'buyer',
      merchant_external_id: index % 4 === 0 ? 'second' : 'merchant',
      amount: { net: 100, tax: 0, gross: 100, currency: index % 6 === 0 ? 'GBP' : 'EUR' },
    }),
  );
const totalOf = async (query: string, key?: string) =>
  (await world.get(`/v1/invoices?limit=1${query}`, key === undefined ? {} : { key })).body.total;
const fold = (countMax = 1_000) => foldListCounts(world.installation.db, countMax);
const changes = async () =>
  (await world.sql<{ count: number }>('select count(*)::int as count from list_count_changes'))[0]?.count;

const TOTALS: [string, number][] = [
  ['', 12],
  ['&status=OPEN', 9],
  ['&status=CANCELLED,CLOSED', 3],
  ['&status=OPEN,OPEN', 9],
  ['&status=DUE', 0],
  ['&buyer_external_id=other', 4],
  ['&buyer_external_id=buyer&buyer_external_id=nobody', 8],
  ['&merchant_external_id=second', 3],
  ['&currency=GBP', 2],
  ['&buyer_external_id=other&status=OPEN', 3],
  ['&merchant_external_id=second&status=CANCELLED,CLOSED', 1],
  // Counted row by row.
  ['&currency=GBP&status=OPEN', 1],
  ['&external_id=invoice-3', 1],
  ['&amount_gross=101..', 0],
];

describe('the total of a list of invoices', () => {
  it.each(TOTALS)('with %s is right before its changes are folded', async (query, total) => {
    expect(await totalOf(query)).toBe(total);
  });

  it('is that of the merchant for its key, and of the platform that asks', async () => {
    const key = await world.addKey({ merchantExternalId: 'second' });
    expect(await totalOf('', key)).toBe(3);
    expect(await totalOf('', (await world.addPlatform()).apiKey)).toBe(0);
  });

  it('stays right while several processes fold, and while invoices change', async () => {
    await Promise.all([
      fold(2),
      fold(3),
      fold(4),
      create(INVOICES),
      world.post('/v1/invoices/invoice-5/paid'),
    ]);
    expect([await totalOf(''), await totalOf('&status=OPEN')]).toEqual([13, 9]);
    expect(await auditBooks(world)).toEqual([]);
    while ((await fold(5)) > 0);
    expect(await changes()).toBe(0);
    expect([await totalOf(''), await totalOf('&status=OPEN')]).toEqual([13, 9]);
    expect(await auditBooks(world)).toEqual([]);
  });

  it('does not change with a transaction that is rolled back, or with what changes no counted column', async () => {
    await world.post('/v1/invoices', invoiceBody({ external_id: 'invoice-3' }));
    await world.post('/v1/invoices/invoice-6/payments', { amount: 1 });
    expect(await changes()).toBe(0);
    expect(await totalOf('')).toBe(13);
  });
});

describe('the changes of totals', () => {
  it('are folded by the worker', async () => {
    const working = await createWorld();
    await working.post('/v1/buyers', buyerBody({}));
    await working.post('/v1/merchants', merchantBody({}));
    await working.post('/v1/invoices', invoiceBody({}));
    await until(async () => (await working.sql('select 1 from list_count_changes')).length === 0);
    expect(
      await working.sql(
        "select filter, rows_count::int from list_counts where list = 'invoices' order by filter",
      ),
    ).toEqual([
      { filter: 'currency', rows_count: 1 },
      { filter: 'status', rows_count: 1 },
      { filter: 'status,buyer_external_id', rows_count: 1 },
      { filter: 'status,merchant_external_id', rows_count: 1 },
    ]);
    await working.close();
  });
});
