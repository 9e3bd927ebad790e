import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { versionIn } from '#test/if-match';
import { issuesOf } from '#test/paging';
import { NOT_FOUND } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('GET /v1/buyers/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['b1', 'lonely']) await world.post('/v1/buyers', buyerBody({ external_id }));
    for (const [second, external_id] of ['oldest', 'y-tied', 'x-tied', 'newest'].entries()) {
      world.clock.set(1_800_000_000 + (second === 2 ? 1 : second));
      await world.post('/v1/contacts', {
        external_id,
        buyer_external_id: 'b1',
        email: `${external_id}@b1.example`,
      });
    }
    await world.post('/v1/contacts', { external_id: 'other', buyer_external_id: 'lonely' });
    await world.delete('/v1/contacts/other');
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field, null if empty', async () => {
      const { status, body, headers } = await world.get('/v1/buyers/b1');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...buyerBody({ external_id: 'b1' }),
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        max_days_past_due: null,
        registry: null,
        trading_name: null,
        registered_at: null,
        incorporated_at: null,
        business_identifiers: [],
        business_address: {
          street: null,
          house: null,
          postcode: '10435',
          city: 'Berlin',
          country: 'DE',
          additional: null,
        },
        delivery_address: null,
        custom_data: null,
        contact_email: null,
      });
    });

    it.each(['expand=contacts', 'expand=contacts&expand=contacts', 'expand=contacts,contacts'])(
      'has the whole contacts with ?%s, the newest first',
      async (query) => {
        const { status, body } = await world.get(`/v1/buyers/b1?${query}`);
        expect(status).toBe(200);
        expect(body.contacts.map(({ external_id }: { external_id: string }) => external_id)).toEqual([
          'newest',
          'x-tied',
          'y-tied',
          'oldest',
        ]);
        expect(body.contacts[0]).toEqual((await world.get('/v1/contacts/newest')).body);
      },
    );

    it('has an empty list of contacts if the buyer has none', async () => {
      const { body } = await world.get('/v1/buyers/lonely?expand=contacts');
      expect(body.contacts).toEqual([]);
    });

    it('has the same version and the same other fields with and without contacts', async () => {
      const plain = await world.get('/v1/buyers/b1');
      const expanded = await world.get('/v1/buyers/b1?expand=contacts');
      expect(versionIn(expanded)).toBe(versionIn(plain));
      const { contacts, ...rest } = expanded.body;
      expect(contacts).toHaveLength(4);
      expect(rest).toEqual(plain.body);
    });
  });

  describe('400', () => {
    it.each([
      ['expand=invoices', 'INVALID_ENUM query.expand'],
      ['expand=contacts,invoices', 'INVALID_ENUM query.expand'],
      ['expand=contacts&expand=invoices', 'INVALID_ENUM query.expand'],
      ['expand=CONTACTS', 'INVALID_ENUM query.expand'],
      ['expand=', 'INVALID_ENUM query.expand'],
      ['expand=contacts,', 'INVALID_ENUM query.expand'],
      ['expand[]=contacts', 'UNRECOGNIZED_KEYS query.expand[]'],
      ['fields=legal_name', 'UNRECOGNIZED_KEYS query.fields'],
    ])('?%s is %s', async (query, issue) => {
      const { status, body } = await world.get(`/v1/buyers/b1?${query}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([issue]);
    });

    it.each([
      ['x'.repeat(101), 'TOO_LONG'],
      ['a.b', 'INVALID_FORMAT'],
      ['a%20b', 'INVALID_FORMAT'],
      ['b1%0A', 'INVALID_FORMAT'],
      ['b1%00', 'INVALID_FORMAT'],
      ['b%C3%A9', 'INVALID_FORMAT'],
      ["b1'--", 'INVALID_FORMAT'],
    ])('an external_id like %s is %s', async (externalId, code) => {
      const { status, body } = await world.get(`/v1/buyers/${externalId}`);
      expect(status).toBe(400);
      expect(issuesOf(body)).toEqual([`${code} params.external_id`]);
    });
  });

  describe('403', () => {
    it('answers a key without read', async () => {
      const key = await world.addKey({ scopes: ['orders:write'] });
      const { status, body } = await world.get('/v1/buyers/b1', { key });
      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE', details: { scope: 'read' } });
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer, and for one of another platform in the same bytes', async () => {
      const { apiKey } = await world.addPlatform();
      const unknown = await world.get('/v1/buyers/nobody');
      const foreign = await world.get('/v1/buyers/b1', { key: apiKey });
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(NOT_FOUND);
      expect(unknown.headers.get('etag')).toBeNull();
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    });
  });
});
