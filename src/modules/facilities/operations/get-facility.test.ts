import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBuyer, addFacility, ORDINARY_LIMIT } from '#test/facilities';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

describe('GET /v1/buyers/{external_id}/facility', () => {
  it('200 with every field, and its version', async () => {
    await addFacility(world, 'ordinary');
    const { status, body, headers } = await world.get('/v1/buyers/ordinary/facility');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        buyer_external_id: 'ordinary',
        status: 'ACTIVE',
        currency: 'EUR',
        total_amount: ORDINARY_LIMIT,
        available_amount: ORDINARY_LIMIT,
        used_amount: 0,
        pending_orders_amount: 0,
        risk_band: 'B1',
        reviewed_at: NOW,
        expires_at: NOW + 90 * 86_400,
        frozen_at: null,
        decision_id: expect.any(String),
        pending_actions: [],
        created_at: NOW,
        updated_at: NOW,
        entity: { buyer_external_ids: [], exposure_amount: ORDINARY_LIMIT },
      },
    });
    expect(headers.get('etag')).toBe('"1"');
  });

  it('200 to a key that may only read', async () => {
    const key = await world.addKey({ scopes: ['read'] });
    await addFacility(world, 'readable');
    expect((await world.get('/v1/buyers/readable/facility', { key })).status).toBe(200);
  });

  it('404 for a buyer without one as for an unknown one', async () => {
    await addBuyer(world, 'without');
    const without = await world.get('/v1/buyers/without/facility');
    const nobody = await world.get('/v1/buyers/nobody/facility');
    expect([without.status, nobody.status]).toEqual([404, 404]);
    expect(without.text).toBe(nobody.text);
  });

  it('400 for what cannot be a buyer', async () => {
    expect((await world.get('/v1/buyers/a.b/facility')).status).toBe(400);
  });
});
