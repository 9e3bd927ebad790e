import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { orderTransitions } from '#test/stored';
import { createWorld, type World } from '#test/world';

// Drafts that arrive at the same time share one statement: a fault in one must not affect another.
describe('POST /v1/orders/draft, 64 at once', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    await world.post('/v1/buyers', buyerBody({}));
    await world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(() => world.close());

  const draftAll = (bodies: object[]) =>
    Promise.all(bodies.map((more) => world.post('/v1/orders/draft', draftOrderBody(more))));
  const numbered = (prefix: string) => Array.from({ length: 64 }, (_, index) => `${prefix}-${index}`);
  const count = async (pattern: string) =>
    (await world.sql('select external_id from orders where external_id like $1', [pattern])).length;

  it('writes each of them, with its own answer', async () => {
    const ids = numbered('each');
    const replies = await draftAll(
      ids.map((external_id, index) => ({ external_id, amount: { net: index + 1, gross: index + 1 } })),
    );
    expect(replies.map(({ body }) => [body.external_id, body.amount.net])).toEqual(
      ids.map((id, index) => [id, index + 1]),
    );
    expect(await count('each-%')).toBe(64);
  });

  it('accepts exactly one if all use the same external_id', async () => {
    const replies = await draftAll(
      numbered('race').map((_, index) => ({
        external_id: 'race',
        amount: { net: index + 1, gross: index + 1 },
      })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(63).fill(409)]);
    const winner = replies.find(({ status }) => status === 201);
    expect((await world.get('/v1/orders/race')).text).toBe(winner?.text);
    expect(await orderTransitions(world, 'race')).toHaveLength(1);
  });

  it('lets exactly one of each pair win among many', async () => {
    const ids = numbered('pair').map((_, index) => `pair-${index % 32}`);
    const replies = await draftAll(ids.map((external_id) => ({ external_id })));
    const wonIds = replies.filter(({ status }) => status === 201).map(({ body }) => body.external_id);
    expect(wonIds.sort()).toEqual([...new Set(ids)].sort());
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(32);
  });

  it('writes the others if one names an unknown buyer, an unknown merchant, or is taken', async () => {
    await draftAll([{ external_id: 'mixed-2' }]);
    const bodies: object[] = numbered('mixed').map((external_id) => ({ external_id }));
    bodies[0] = { external_id: 'mixed-0', buyer_external_id: 'nobody' };
    bodies[1] = { external_id: 'mixed-1', merchant_external_id: 'nobody' };
    const statuses = (await draftAll(bodies)).map(({ status }) => status);
    expect(statuses).toEqual([404, 422, 409, ...Array(61).fill(201)]);
  });

  it('writes the others if the database refuses one', async () => {
    await world.sql("alter table orders add constraint no_poison check (external_id <> 'poison-40')");
    const replies = await draftAll(numbered('poison').map((external_id) => ({ external_id })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(63);
    expect(replies[40]?.status).toBe(500);
    expect(await count('poison-%')).toBe(63);
  });

  it('keeps platforms apart that send the same external_ids at the same time', async () => {
    const other = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({ legal_name: 'The other buyer' }), { key: other.apiKey });
    await world.post('/v1/merchants', merchantBody({}), { key: other.apiKey });
    const replies = await Promise.all(
      numbered('both').map((_, index) =>
        world.post('/v1/orders/draft', draftOrderBody({ external_id: `both-${index >> 1}` }), {
          key: index % 2 ? other.apiKey : world.apiKey,
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(64).fill(201));
    expect(replies.map(({ body }) => body.buyer.legal_name)).toEqual(
      numbered('both').map((_, index) => (index % 2 ? 'The other buyer' : 'Café Morgenrot eG')),
    );
  });
});
