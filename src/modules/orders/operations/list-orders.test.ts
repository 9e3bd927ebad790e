import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

interface Listed {
  external_id: string;
}

/** external_id, buyer, merchant, gross, currency, status; then seconds: created, updated, ordered. */
const ORDERS: [string, string, string, number, string, string, number, number, number][] = [
  ['a', 'b1', 'm1', 100, 'EUR', 'DRAFT', 1_000, 9_000, 500],
  ['b', 'b1', 'm2', 200, 'JPY', 'CONFIRMED', 2_000, 8_000, 400],
  ['c', 'b2', 'm1', 300, 'EUR', 'CONFIRMED', 2_000, 7_000, 300],
  ['d', 'b2', 'm2', 300, 'EUR', 'EXPIRED', 3_000, 6_000, 200],
  ['e', 'b2', 'm2', 500, 'JPY', 'DRAFT', 4_000, 6_000, 100],
];

describe('GET /v1/orders', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ platform: { financing_currencies: ['JPY'] } });
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
    for (const external_id of ['m1', 'm2']) await world.post('/v1/merchants', merchantBody({ external_id }));
    for (const [external_id, buyer, merchant, gross, currency, status, ...seconds] of ORDERS) {
      const amount = { net: gross, gross, currency };
      await world.post(
        '/v1/orders/draft',
        draftOrderBody({ external_id, buyer_external_id: buyer, merchant_external_id: merchant, amount }),
      );
      // The test sets statuses and times directly: it is only about lists.
      await world.sql(
        'update orders set status = $2, created_at = $3, updated_at = $4, ordered_at = $5 where external_id = $1',
        [external_id, status, ...seconds],
      );
    }
    const other = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({}), { key: other.apiKey });
    await world.post('/v1/merchants', merchantBody({}), { key: other.apiKey });
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: 'theirs' }), { key: other.apiKey });
  });
  afterAll(() => world.close());

  const listed = async (query: string, key?: string) => {
    const { status, body } = await world.get(`/v1/orders?${query}`, key === undefined ? {} : { key });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.items.map(({ external_id }: Listed) => external_id).join('');
  };

  describe('filters', () => {
    it.each([
      ['', 'edbca'],
      ['external_id=a', 'a'],
      ['external_id=a,c,unknown', 'ca'],
      ['external_id=a&external_id=c', 'ca'],
      ['external_id=theirs', ''],
      ['buyer_external_id=b1', 'ba'],
      ['buyer_external_id=b1,b2', 'edbca'],
      ['merchant_external_id=m1', 'ca'],
      ['merchant_external_id=m1,m2', 'edbca'],
      ['status=DRAFT', 'ea'],
      ['status=DRAFT,EXPIRED', 'eda'],
      ['status=CANCELLED,CLOSED,PENDING_CONFIRMATION,DISBURSED', ''],
      ['currency=JPY', 'eb'],
      ['currency=JPY,EUR', 'edbca'],
      ['created_at=2000', 'bc'],
      ['created_at=2000..3000', 'dbc'],
      ['created_at=2001..', 'ed'],
      ['created_at=..1999', 'a'],
      ['created_at=3000..2000', ''],
      ['updated_at=6000..7000', 'edc'],
      ['updated_at=8001..', 'a'],
      ['ordered_at=..200', 'ed'],
      ['ordered_at=400', 'b'],
      ['amount_gross=300', 'dc'],
      ['amount_gross=200..300', 'dbc'],
      ['amount_gross=301..', 'e'],
      ['amount_gross=..1000000000000', 'edbca'],
      ['buyer_external_id=b2&merchant_external_id=m2&currency=EUR&status=EXPIRED', 'd'],
      ['buyer_external_id=b1&amount_gross=200..&created_at=..2000', 'b'],
    ])('%s', async (query, expected) => {
      expect(await listed(query)).toBe(expected);
    });

    it('count what they leave, not all', async () => {
      const { body } = await world.get('/v1/orders?status=DRAFT&limit=1');
      expect(body).toMatchObject({ total: 2, limit: 1, offset: 0, items: [{ external_id: 'e' }] });
    });

    it.each([
      ['external_id=a.b', 'INVALID_FORMAT query.external_id'],
      ['external_id=', 'TOO_SHORT query.external_id'],
      [`external_id=${Array(101).fill('a').join(',')}`, 'TOO_LONG query.external_id'],
      ['buyer_external_id=a,b%20c', 'INVALID_FORMAT query.buyer_external_id'],
      ['merchant_external_id=%2F', 'INVALID_FORMAT query.merchant_external_id'],
      ['status=OPEN', 'INVALID_ENUM query.status'],
      ['status=draft', 'INVALID_ENUM query.status'],
      ['currency=XXX', 'INVALID_ENUM query.currency'],
      ['created_at=yesterday', 'INVALID_FORMAT query.created_at'],
      ['created_at=..', 'INVALID_FORMAT query.created_at'],
      ['created_at=1..2..3', 'INVALID_FORMAT query.created_at'],
      ['updated_at=-5', 'INVALID_FORMAT query.updated_at'],
      ['updated_at=9999999999999', 'INVALID_FORMAT query.updated_at'],
      ['ordered_at=1.5', 'INVALID_FORMAT query.ordered_at'],
      ['ordered_at=1&ordered_at=2', 'INVALID_TYPE query.ordered_at'],
      ['amount_gross=10.50', 'INVALID_FORMAT query.amount_gross'],
      ['expand=contacts', 'INVALID_ENUM query.expand'],
      ['merchant=m1', 'UNRECOGNIZED_KEYS query.merchant'],
    ])('refuse %s', async (query, issue) => {
      const { status, body } = await world.get(`/v1/orders?${query}`);
      expect(status).toBe(400);
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });
  });

  describe('sort_by', () => {
    it.each([
      ['created_at', 'abcde'],
      ['-created_at', 'edbca'],
      ['updated_at', 'decba'],
      ['-updated_at', 'abcde'],
      ['ordered_at', 'edcba'],
      ['-ordered_at', 'abcde'],
      ['amount_gross', 'abcde'],
      ['-amount_gross', 'ecdba'],
      ['external_id', 'abcde'],
      ['-external_id', 'edcba'],
    ])('%s, equal ones by external_id upwards', async (sort, expected) => {
      expect(await listed(`sort_by=${sort}`)).toBe(expected);
    });

    it.each(['status', 'created_at,external_id', '--created_at', '+created_at'])(
      'refuses %s',
      async (sort) => {
        const { status, body } = await world.get(`/v1/orders?sort_by=${encodeURIComponent(sort)}`);
        expect(status).toBe(400);
        expect(body.issues).toMatchObject([{ code: 'INVALID_ENUM', path: 'query.sort_by' }]);
      },
    );
  });

  describe('pages', () => {
    it('follow one another without gap or repetition, ties among them', async () => {
      let walked = '';
      for (let offset = 0; offset < 6; offset += 2)
        walked += await listed(`sort_by=amount_gross&limit=2&offset=${offset}`);
      expect(walked).toBe('abcde');
    });

    it('have 100 items and start at 0 by default', async () => {
      expect((await world.get('/v1/orders')).body).toMatchObject({
        total: 5,
        limit: 100,
        offset: 0,
        next: null,
      });
    });

    it('are empty past the end, with the same total', async () => {
      const { body } = await world.get('/v1/orders?offset=2147483647');
      expect(body).toEqual({ items: [], total: 5, limit: 100, offset: 2_147_483_647, next: null });
    });

    it.each([
      ['limit=101', 'TOO_BIG query.limit'],
      ['limit=0', 'TOO_SMALL query.limit'],
      ['limit=1.5', 'INVALID_TYPE query.limit'],
      ['limit=', 'INVALID_TYPE query.limit'],
      ['limit=1&limit=2', 'INVALID_TYPE query.limit'],
      ['offset=-1', 'TOO_SMALL query.offset'],
      ['offset=2147483648', 'TOO_BIG query.offset'],
      ['offset=9223372036854775808', 'TOO_BIG query.offset'],
    ])('refuse %s instead of clamping it', async (query, issue) => {
      const { status, body } = await world.get(`/v1/orders?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'BAD_REQUEST', error: '1 validation issue' });
      expect(body.issues.map((one: Record<string, string>) => `${one.code} ${one.path}`)).toEqual([issue]);
    });
  });

  it('shows each order as a GET of it shows it', async () => {
    const { body } = await world.get('/v1/orders?external_id=b');
    expect(body.items).toEqual([(await world.get('/v1/orders/b')).body]);
  });

  it('shows the whole buyer of each with expand=buyer', async () => {
    const { body } = await world.get('/v1/orders?expand=buyer&sort_by=external_id');
    const buyers = [(await world.get('/v1/buyers/b1')).body, (await world.get('/v1/buyers/b2')).body];
    expect(body.items.map((order: { buyer: unknown }) => order.buyer)).toEqual(
      [0, 0, 1, 1, 1].map((index) => buyers[index]),
    );
  });

  describe('with a key restricted to one merchant', () => {
    it('lists and counts that merchant’s orders only', async () => {
      const key = await world.addKey({ merchantExternalId: 'm1' });
      expect(await listed('', key)).toBe('ca');
      expect(await listed('merchant_external_id=m1', key)).toBe('ca');
      expect(await listed('external_id=a,b', key)).toBe('a');
      expect((await world.get('/v1/orders?limit=1', { key })).body.total).toBe(2);
    });

    it('refuses the filter for another merchant', async () => {
      const key = await world.addKey({ merchantExternalId: 'm1' });
      for (const merchants of ['m2', 'm1,m2', 'nobody']) {
        const { status, body } = await world.get(`/v1/orders?merchant_external_id=${merchants}`, { key });
        expect({ status, reason: body.reason }).toEqual({ status: 403, reason: 'MERCHANT_NOT_ALLOWED' });
      }
    });
  });

  it('shows another platform its own orders only', async () => {
    const { apiKey } = await world.addPlatform();
    const { body } = await world.get('/v1/orders', { key: apiKey });
    expect(body).toEqual({ items: [], total: 0, limit: 100, offset: 0, next: null });
  });
});
