import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { describePaging, idsOf, issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** Registered in this order, at these seconds after 1,800,000,000. */
const CONTACTS: [externalId: string, buyer: string, second: number][] = [
  ['first', 'b1', 0],
  ['z-tied', 'b1', 1],
  ['A-tied', 'b2', 1],
  ['a-tied', 'b1', 1],
  ['last', 'b2', 2],
];

describe('GET /v1/contacts', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['b1', 'b2', 'lonely'])
      await world.post('/v1/buyers', buyerBody({ external_id }));
    for (const [external_id, buyer_external_id, second] of CONTACTS) {
      world.clock.set(1_800_000_000 + second);
      await world.post('/v1/contacts', { external_id, buyer_external_id, email: `${external_id}@x.example` });
    }
    const { apiKey } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }), { key: apiKey });
    await world.post('/v1/contacts', { external_id: 'theirs', buyer_external_id: 'b1' }, { key: apiKey });
  });
  afterAll(() => world.close());

  const list = (query: string) => world.get(`/v1/contacts?${query}`);

  describePaging(list, ['last', 'A-tied', 'a-tied', 'z-tied', 'first']);

  describe('200', () => {
    it('has every contact as a GET of it shows it', async () => {
      const { body } = await list('');
      for (const contact of body.items)
        expect(contact).toEqual((await world.get(`/v1/contacts/${contact.external_id}`)).body);
    });

    it.each([
      ['buyer_external_id=b1', ['a-tied', 'z-tied', 'first']],
      ['buyer_external_id=b2', ['last', 'A-tied']],
      ['buyer_external_id=b1,b2', ['last', 'A-tied', 'a-tied', 'z-tied', 'first']],
      ['buyer_external_id=b1&buyer_external_id=lonely', ['a-tied', 'z-tied', 'first']],
      ['buyer_external_id=lonely', []],
      ['buyer_external_id=nobody', []],
      ['buyer_external_id=B1', []],
    ])('filters by %s', async (query, expected) => {
      const { body } = await list(query);
      expect(idsOf(body)).toEqual(expected);
      expect(body.total).toBe(expected.length);
    });

    it('pages through the filtered contacts', async () => {
      const { body } = await list('buyer_external_id=b1&limit=1&offset=1');
      expect(idsOf(body)).toEqual(['z-tied']);
      expect(body).toMatchObject({ total: 3, limit: 1, offset: 1 });
    });
  });

  describe('400', () => {
    it.each([
      ['buyer_external_id=', 'TOO_SHORT query.buyer_external_id'],
      ['buyer_external_id=a.b', 'INVALID_FORMAT query.buyer_external_id'],
      [`buyer_external_id=${'x'.repeat(101)}`, 'TOO_LONG query.buyer_external_id'],
      [`buyer_external_id=${Array(101).fill('x')}`, 'TOO_LONG query.buyer_external_id'],
      ['external_id=first', 'UNRECOGNIZED_KEYS query.external_id'],
      ['email=last@x.example', 'UNRECOGNIZED_KEYS query.email'],
      ['sort_by=created_at', 'UNRECOGNIZED_KEYS query.sort_by'],
    ])('?%s is %s', async (query, issue) => {
      const { status, body } = await list(query);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([issue]);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/contacts', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });
});
