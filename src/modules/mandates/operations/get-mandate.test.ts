import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

describe('GET /v1/buyers/{external_id}/mandates/{reference}', () => {
  let world: World;
  const path = '/v1/buyers/b1/mandates/REF-1';
  beforeAll(async () => {
    world = await createWorld();
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
    await world.post('/v1/buyers/b1/mandates', { iban: 'NO9386011117947', reference: 'REF-1' });
  });
  afterAll(() => world.close());

  it('200: shows the last four characters of the IBAN, whatever the case of the reference', async () => {
    const { status, headers, body } = await world.get(path);
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toMatchObject({ reference: 'REF-1', status: 'ACTIVE', iban_last_four: '7947' });
    expect((await world.get('/v1/buyers/b1/mandates/ref-1')).body).toEqual(body);
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect((await world.get(path, { key })).body.reason).toBe('MERCHANT_NOT_ALLOWED');
  });

  it('404: for an unknown reference, one of another buyer, and one of another platform', async () => {
    const { apiKey: key } = await world.addPlatform();
    const replies = [
      await world.get('/v1/buyers/b1/mandates/REF-2'),
      await world.get('/v1/buyers/b2/mandates/REF-1'),
      await world.get(path, { key }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
