import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { sepaBody } from '#test/payees';
import { createWorld, type World } from '#test/world';

describe('GET /v1/payout_instructions/{external_id}', () => {
  let world: World;
  const path = '/v1/payout_instructions/a1';
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
    await world.post('/v1/payout_instructions', sepaBody({ external_id: 'a1', merchant_external_id: 'm1' }));
  });
  afterAll(() => world.close());

  it('200: shows the account and whether it is verified, also to a key of its merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    for (const options of [{}, { key }]) {
      const { status, body } = await world.get(path, options);
      expect([status, body]).toEqual([200, expect.objectContaining({ ...sepaBody(), is_verified: false })]);
    }
  });

  it('404: for an unknown one, one of another merchant than the key, and one of another platform', async () => {
    const { apiKey } = await world.addPlatform();
    const ofOther = await world.addKey({ merchantExternalId: 'm2' });
    const replies = [
      await world.get('/v1/payout_instructions/nothing'),
      await world.get(path, { key: apiKey }),
      await world.get(path, { key: ofOther }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
