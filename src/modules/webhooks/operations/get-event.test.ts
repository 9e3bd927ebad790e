import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

describe('GET /v1/events/{event_id}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
    await until(async () => (await world.get('/v1/events')).body.items.length === 1);
  });
  afterAll(() => world.close());

  it('answers one event of the platform, and 404 for any other', async () => {
    const [item] = (await world.get('/v1/events')).body.items;
    expect((await world.get(`/v1/events/${item.id}`)).body).toEqual(item);
    const { apiKey } = await world.addPlatform();
    expect((await world.get(`/v1/events/${item.id}`, { key: apiKey })).status).toBe(404);
    expect((await world.get(`/v1/events/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await world.get('/v1/events/x')).status).toBe(404);
  });
});
