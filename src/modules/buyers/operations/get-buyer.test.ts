import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

describe('GET /v1/buyers/{external_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
  });
  afterAll(() => world.close());

  describe('200', () => {
    it('has every documented field, null where empty', async () => {
      const { status, body, headers } = await world.get('/v1/buyers/b1');
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe('"1"');
      expect(body).toEqual({
        ...buyerBody({ external_id: 'b1' }),
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        max_days_past_due: null,
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
      });
    });
  });

  describe('404', () => {
    it('answers for an unknown buyer', async () => {
      const { status, body } = await world.get('/v1/buyers/nobody');
      expect(status).toBe(404);
      expect(body).toEqual({ error: 'No entity found', code: 'NOT_FOUND' });
    });
  });
});
