import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { expectSamePages } from '#test/paging';
import { createWorld, type World } from '#test/world';

describe('GET /v1/buyers/{external_id}/mandates', () => {
  let world: World;
  const path = '/v1/buyers/b1/mandates';
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
    for (const [index, reference] of ['FIRST', 'SECOND', 'THIRD'].entries()) {
      world.clock.set(1_800_000_000 + index);
      await world.post(path, { iban: 'NO9386011117947', reference });
      if (reference !== 'THIRD') await world.post(`${path}/${reference}/revoke`);
    }
  });
  afterAll(() => world.close());

  it('200: lists all of the buyer, newest first, in pages', async () => {
    const { body } = await world.get(`${path}?limit=2`);
    expect(body).toMatchObject({
      items: [
        { reference: 'THIRD', status: 'ACTIVE' },
        { reference: 'SECOND', status: 'REVOKED' },
      ],
      total: 3,
      limit: 2,
      offset: 0,
    });
    expect((await world.get(`${path}?offset=2`)).body.items).toMatchObject([{ reference: 'FIRST' }]);
    expect((await world.get('/v1/buyers/b2/mandates')).body).toMatchObject({ items: [], total: 0 });
    await expectSamePages((parameters) => world.get(`${path}?${parameters}`));
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect((await world.get(path, { key })).body.reason).toBe('MERCHANT_NOT_ALLOWED');
  });

  it('404: for an unknown buyer and for one of another platform', async () => {
    const { apiKey: key } = await world.addPlatform();
    const replies = [await world.get('/v1/buyers/nobody/mandates'), await world.get(path, { key })];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });
});
