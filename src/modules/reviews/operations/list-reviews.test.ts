import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operatorOf } from '#test/operator';
import { createWorld, type World } from '#test/world';
import { decideReview, listReviews } from '../index.ts';

const T0 = 1_763_640_000;

describe('listReviews', () => {
  let world: World;
  let list: (query?: Record<string, unknown>) => Promise<{ items: Record<string, unknown>[]; total: number }>;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    list = (query = {}) => operatorOf(world, 'ada')(listReviews, { query });
    for (const [nth, name] of ['a', 'b', 'c'].entries()) {
      world.clock.set(T0 + nth);
      const external_id = `${name}-in-review`;
      await world.post('/v1/buyers', buyerBody({ external_id }));
      await world.post(`/v1/buyers/${external_id}/facility`, { requested_amount: 50_000 });
    }
    const other = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({ external_id: 'x-in-review' }), { key: other.apiKey });
    await world.post('/v1/buyers/x-in-review/facility', {}, { key: other.apiKey });
  });
  afterAll(() => world.close());

  it('shows what waits for a person on this platform, the oldest first', async () => {
    const { items, total } = await list();
    expect(total).toBe(3);
    expect(items.map((item) => item.buyer_external_id)).toEqual([
      'a-in-review',
      'b-in-review',
      'c-in-review',
    ]);
    expect(items[0]).toEqual({
      review_id: expect.stringMatching(/^[\da-f-]{36}$/),
      status: 'OPEN',
      subject: 'FACILITY_CREATION',
      buyer_external_id: 'a-in-review',
      order_external_id: null,
      service_external_id: null,
      currency: 'EUR',
      requested_amount: 50_000,
      proposed_amount: expect.any(Number),
      reasons: expect.arrayContaining(['SANDBOX_SCRIPT']),
      opened_at: T0,
      updated_at: T0,
      override_amount: null,
      override_by: null,
      outcome: null,
      decided_amount: null,
      decided_by: null,
      scripted_at: null,
    });
  });

  it('filters, and turns pages', async () => {
    expect(await list({ buyer_external_id: ['b-in-review'] })).toMatchObject({ total: 1 });
    expect(await list({ subject: ['ORDER'] })).toMatchObject({ items: [], total: 0 });
    const page = await list({ limit: 1, offset: 2 });
    expect(page.items.map((item) => item.buyer_external_id)).toEqual(['c-in-review']);
  });

  it('shows the decided ones last', async () => {
    const [first] = (await list()).items;
    await operatorOf(world, 'ada')(decideReview, {
      params: { review_id: first?.review_id as string },
      body: { outcome: 'REJECT', reason: 'No.' },
    });
    const { items } = await list();
    expect(items.map((item) => item.status)).toEqual(['OPEN', 'OPEN', 'DECIDED']);
    expect((await list({ status: ['DECIDED'] })).items).toMatchObject([
      {
        buyer_external_id: 'a-in-review',
        outcome: 'REJECT',
        decided_by: 'operator:ada',
        decided_amount: null,
      },
    ]);
  });
});
