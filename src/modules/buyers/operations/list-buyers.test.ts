import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEGAL_FORMS } from '#kernel/fields';
import { postcodeExample } from '#kernel/postcode';
import { buyerBody } from '#test/bodies';
import { describePaging, idsOf, issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** Registered in this order; `created` and `updated` are seconds after START, `updated` by a change of the trading name. */
const START = 1_800_000_000;
const BUYERS = [
  { external_id: 'd', created: 0, updated: 500, legal_name: 'Zeta', legal_form: 'OTHER', country: 'DE' },
  {
    external_id: 'B',
    created: 100,
    updated: 100,
    legal_name: 'alpha',
    legal_form: 'PARTNERSHIP',
    country: 'FR',
  },
  { external_id: 'c', created: 200, updated: 300, legal_name: 'Émile', legal_form: 'OTHER', country: 'AT' },
  {
    external_id: 'a',
    created: 200,
    updated: 200,
    legal_name: 'Beta',
    legal_form: 'GOVERNMENT',
    country: 'DE',
  },
  {
    external_id: '_',
    created: 200,
    updated: 300,
    legal_name: 'Beta',
    legal_form: 'COOPERATIVE',
    country: 'DE',
  },
];

describe('GET /v1/buyers', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const { external_id, created, updated, legal_name, legal_form, country } of BUYERS) {
      const business_address = { postcode: postcodeExample(country) ?? '1', city: 'X', country };
      const company = { legal_name, legal_form, business_identifiers: [], business_address };
      world.clock.set(START + created);
      await world.post('/v1/buyers', { external_id, ...company });
      world.clock.set(START + updated);
      if (updated !== created)
        await world.put(`/v1/buyers/${external_id}`, { ...company, trading_name: 'x' });
    }
    const { apiKey } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({ external_id: 'theirs' }), { key: apiKey });
    for (const external_id of ['c1', 'c2'])
      await world.post('/v1/contacts', {
        external_id,
        buyer_external_id: 'B',
        email: `${external_id}@b.example`,
      });
  });
  afterAll(() => world.close());

  const list = (query: string) => world.get(`/v1/buyers?${query}`);

  // The newest first; within one second '_' < 'a' < 'c'.
  describePaging(list, ['_', 'a', 'c', 'B', 'd']);

  describe('200', () => {
    it('has every buyer as a GET of it shows it', async () => {
      const { body } = await list('');
      for (const buyer of body.items)
        expect(buyer).toEqual((await world.get(`/v1/buyers/${buyer.external_id}`)).body);
    });

    it('is an empty page for a platform without buyers', async () => {
      const { apiKey } = await world.addPlatform();
      const { body } = await world.get('/v1/buyers', { key: apiKey });
      expect(body).toEqual({ items: [], total: 0, limit: 100, offset: 0, next: null });
    });

    it.each([
      ['created_at', ['d', 'B', '_', 'a', 'c']],
      ['-created_at', ['_', 'a', 'c', 'B', 'd']],
      ['updated_at', ['B', 'a', '_', 'c', 'd']],
      ['-updated_at', ['d', '_', 'c', 'a', 'B']],
      // By code point: capitals first, then small letters, then others.
      ['legal_name', ['_', 'a', 'd', 'B', 'c']],
      ['-legal_name', ['c', 'B', 'd', '_', 'a']],
      ['external_id', ['B', '_', 'a', 'c', 'd']],
      ['-external_id', ['d', 'c', 'a', '_', 'B']],
    ])('sorts by %s, equal ones by external_id', async (sortBy, expected) => {
      expect(idsOf((await list(`sort_by=${sortBy}`)).body)).toEqual(expected);
    });

    it.each([
      ['external_id=a', ['a']],
      ['external_id=a,d', ['a', 'd']],
      ['external_id=a&external_id=d', ['a', 'd']],
      ['external_id=a,c&external_id=d', ['a', 'c', 'd']],
      ['external_id=b', []],
      ['external_id=theirs', []],
      ['legal_form=OTHER', ['c', 'd']],
      ['legal_form=OTHER,GOVERNMENT', ['a', 'c', 'd']],
      ['legal_form=SOLE_TRADER', []],
      ['country=DE', ['_', 'a', 'd']],
      ['country=AT,FR', ['c', 'B']],
      ['country=AT&country=FR', ['c', 'B']],
      [`created_at=${START + 200}`, ['_', 'a', 'c']],
      [`created_at=${START + 100}..${START + 200}`, ['_', 'a', 'c', 'B']],
      [`created_at=${START + 101}..`, ['_', 'a', 'c']],
      [`created_at=..${START + 100}`, ['B', 'd']],
      [`created_at=${START + 100}..${START + 100}`, ['B']],
      [`created_at=${START + 200}..${START}`, []],
      ['created_at=..0', []],
      ['created_at=253402300799..', []],
      ['created_at=0..253402300799', ['_', 'a', 'c', 'B', 'd']],
      [`updated_at=${START + 300}`, ['_', 'c']],
      [`updated_at=${START + 300}..`, ['_', 'c', 'd']],
      [`updated_at=..${START + 200}`, ['a', 'B']],
      [`updated_at=${START + 200}..${START + 499}`, ['_', 'a', 'c']],
      ['country=DE&legal_form=OTHER,COOPERATIVE', ['_', 'd']],
      [`country=DE&created_at=${START + 1}..&external_id=a,d`, ['a']],
    ])('filters by %s', async (query, expected) => {
      const { body } = await list(query);
      expect(idsOf(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });

    it('filters by every legal form', async () => {
      const { body } = await list(`legal_form=${LEGAL_FORMS.join(',')}`);
      expect(body.total).toBe(5);
    });

    it('takes a filter of 100 values', async () => {
      const ids = Array.from({ length: 99 }, (_, nth) => `x${nth}`);
      expect(idsOf((await list(`external_id=${ids},a`)).body)).toEqual(['a']);
    });

    it('pages through what a filter leaves', async () => {
      const { body } = await list('country=DE&limit=2&offset=1&sort_by=external_id');
      expect(idsOf(body)).toEqual(['a', 'd']);
      expect(body).toMatchObject({ total: 3, limit: 2, offset: 1 });
    });

    it.each(['expand=contacts', 'expand=contacts&expand=contacts', 'expand=contacts,contacts'])(
      'has the contacts of each buyer with ?%s, [] if it has none',
      async (query) => {
        const { body } = await list(`${query}&sort_by=external_id`);
        const contactIds = body.items.map((buyer: { contacts: [] }) => idsOf({ items: buyer.contacts }));
        expect(contactIds).toEqual([['c1', 'c2'], [], [], [], []]);
        expect(body.items[0]).toEqual((await world.get('/v1/buyers/B?expand=contacts')).body);
      },
    );
  });

  describe('400', () => {
    it.each([
      ['external_id=', 'TOO_SHORT query.external_id'],
      ['external_id=a,', 'TOO_SHORT query.external_id'],
      ['external_id=a.b', 'INVALID_FORMAT query.external_id'],
      [`external_id=${'x'.repeat(101)}`, 'TOO_LONG query.external_id'],
      [`external_id=${Array(101).fill('x')}`, 'TOO_LONG query.external_id'],
      ['external_id=a%00', 'INVALID_FORMAT query.external_id'],
      ['legal_form=GMBH', 'INVALID_ENUM query.legal_form'],
      ['legal_form=other', 'INVALID_ENUM query.legal_form'],
      ['legal_form=OTHER,', 'INVALID_ENUM query.legal_form'],
      ['country=de', 'INVALID_FORMAT query.country'],
      ['country=DE,XX', 'INVALID_VALUE query.country'],
      ['created_at=yesterday', 'INVALID_FORMAT query.created_at'],
      ['created_at=', 'INVALID_FORMAT query.created_at'],
      ['created_at=..', 'INVALID_FORMAT query.created_at'],
      ['created_at=1...2', 'INVALID_FORMAT query.created_at'],
      ['created_at=1..2..3', 'INVALID_FORMAT query.created_at'],
      ['created_at=-1..', 'INVALID_FORMAT query.created_at'],
      ['created_at=1.5..2', 'INVALID_FORMAT query.created_at'],
      ['created_at=1e3', 'INVALID_FORMAT query.created_at'],
      ['created_at=1,2', 'INVALID_FORMAT query.created_at'],
      ['created_at=253402300800', 'INVALID_FORMAT query.created_at'],
      ['created_at=0..9223372036854775808', 'INVALID_FORMAT query.created_at'],
      ['created_at=2027-01-15', 'INVALID_FORMAT query.created_at'],
      [`created_at=${'1'.repeat(41)}`, 'TOO_LONG query.created_at'],
      ['created_at=1&created_at=2', 'INVALID_TYPE query.created_at'],
      ['updated_at=x', 'INVALID_FORMAT query.updated_at'],
      ['sort_by=', 'INVALID_ENUM query.sort_by'],
      ['sort_by=legal_form', 'INVALID_ENUM query.sort_by'],
      ['sort_by=created_at desc', 'INVALID_ENUM query.sort_by'],
      ['sort_by=--created_at', 'INVALID_ENUM query.sort_by'],
      ['sort_by=created_at,legal_name', 'INVALID_ENUM query.sort_by'],
      ['expand=buyer', 'INVALID_ENUM query.expand'],
      ['expand=contacts,settings', 'INVALID_ENUM query.expand'],
      ['query=a', 'UNRECOGNIZED_KEYS query.query'],
      ['created_at[gte]=1', 'UNRECOGNIZED_KEYS query.created_at[gte]'],
    ])('?%s is %s', async (query, issue) => {
      const { status, body } = await list(query);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([issue]);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/buyers', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });
});
