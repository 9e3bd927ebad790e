import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
  await world.post('/v1/buyers', buyerBody({}));
});
afterAll(() => world.close());

let drafts = 0;
const draft = (more: object, options?: { key: string }) =>
  world.post('/v1/orders/draft', draftOrderBody({ external_id: `draft-${++drafts}`, ...more }), options);

describe('POST /v1/orders/draft with vouched_by', () => {
  it('states who vouches and since when, and stores the API key', async () => {
    const { status, body } = await draft({ vouched_by: 'key-account-team' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ vouched_by: 'key-account-team', vouched_at: NOW });
    expect((await world.get(`/v1/orders/${body.external_id}`)).body).toMatchObject({
      vouched_by: 'key-account-team',
      vouched_at: NOW,
    });
    const [row] = await world.sql('select vouched_actor from orders where external_id = $1', [
      body.external_id,
    ]);
    expect(row?.vouched_actor).toMatch(/^api_key:/);
    expect(body).not.toHaveProperty('vouched_actor');
  });

  it.each([{}, { vouched_by: null }])('%j vouches for nobody', async (more) => {
    const { body } = await draft(more);
    expect(body).toMatchObject({ vouched_by: null, vouched_at: null });
  });

  it.each([
    ['', 'TOO_SHORT'],
    ['Anna Müller', 'INVALID_FORMAT'],
    ['x'.repeat(101), 'TOO_LONG'],
    [true, 'INVALID_TYPE'],
    [{ name: 'team' }, 'INVALID_TYPE'],
  ])('400: %j is no id of a team', async (vouched_by, code) => {
    const { status, body } = await draft({ vouched_by });
    expect(status).toBe(400);
    expect(body.issues).toMatchObject([{ code, path: 'body.vouched_by' }]);
  });

  it('403: a key that is restricted to one merchant cannot vouch', async () => {
    const key = await world.addKey({ merchantExternalId: merchantBody({}).external_id });
    const { status, body } = await draft({ vouched_by: 'merchant' }, { key });
    expect([status, body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
    expect((await draft({}, { key })).status).toBe(201);
  });
});
