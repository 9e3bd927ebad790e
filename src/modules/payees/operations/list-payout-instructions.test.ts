import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { decidePayee, sepaBody } from '#test/payees';
import { createWorld, type World } from '#test/world';

const FPS = { type: 'FPS', beneficiary_name: 'Leaf', sort_code: '601613', account_number: '31926819' };

describe('GET /v1/payout_instructions', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    for (const [index, [merchant_external_id, body]] of Object.entries([
      ['m1', sepaBody()],
      ['m1', FPS],
      ['m2', sepaBody()],
    ] as const)) {
      world.clock.set(1_800_000_000 + Number(index));
      await world.post('/v1/merchants', merchantBody({ external_id: merchant_external_id }));
      await world.post('/v1/payout_instructions', {
        external_id: `a${index}`,
        merchant_external_id,
        ...body,
      });
    }
    await decidePayee(world, 'a2', 'verify');
  });
  afterAll(() => world.close());

  const ids = async (query = '', key = world.apiKey) => {
    const { body } = await world.get(`/v1/payout_instructions${query}`, { key });
    return body.items.map((item: { external_id: string }) => item.external_id);
  };

  it('200: newest first, by merchant, type and status, in pages', async () => {
    expect(await ids()).toEqual(['a2', 'a1', 'a0']);
    expect(await ids('?merchant_external_id=m1')).toEqual(['a1', 'a0']);
    expect(await ids('?type=SEPA')).toEqual(['a2', 'a0']);
    expect(await ids('?status=VERIFIED')).toEqual(['a2']);
    expect(await ids('?type=SEPA&status=UNVERIFIED&merchant_external_id=m1,m2')).toEqual(['a0']);
    expect((await world.get('/v1/payout_instructions?limit=1&offset=1')).body).toMatchObject({
      items: [{ external_id: 'a1', sort_code: '601613' }],
      ...{ total: 3, limit: 1, offset: 1 },
    });
  });

  it('200: shows a key of one merchant its own only', async () => {
    const key = await world.addKey({ merchantExternalId: 'm2' });
    expect(await ids('', key)).toEqual(['a2']);
  });

  it('403: refuses a key of one merchant that asks for another', async () => {
    const key = await world.addKey({ merchantExternalId: 'm2' });
    const reply = await world.get('/v1/payout_instructions?merchant_external_id=m1', { key });
    expect([reply.status, reply.body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
  });
});
