import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operatorOf } from '#test/operator';
import { createWorld, type World } from '#test/world';
import { listReviews, proposeOverride } from '../index.ts';

describe('proposeOverride', () => {
  let world: World;
  let ada: ReturnType<typeof operatorOf>;
  let review_id: string;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    ada = operatorOf(world, 'ada');
    await world.post('/v1/buyers', buyerBody({ external_id: 'b-in-review' }));
    await world.post('/v1/buyers/b-in-review/facility', { requested_amount: 70_000 });
    review_id = (await ada(listReviews, {})).items[0].review_id;
  });
  afterAll(() => world.close());

  const propose = (limit_amount: number, reason = 'A friend of the house.') =>
    ada(proposeOverride, { params: { review_id }, body: { limit_amount, reason } });

  it('is refused without a limit, and without a reason', async () => {
    for (const limit of [0, -1, 0.5, 1e13])
      await expect(propose(limit)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(propose(80_000, '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('grants nothing: the review waits for a second person', async () => {
    expect(await propose(9_000_000)).toMatchObject({
      status: 'AWAITING_APPROVAL',
      override_amount: 9_000_000,
      override_by: 'operator:ada',
      outcome: null,
    });
    expect((await world.get('/v1/buyers/b-in-review/facility')).body).toMatchObject({
      status: 'PENDING',
      pending_actions: [{ type: 'CREATION' }],
    });
  });

  it('is refused for a review that waits already, and for an unknown one', async () => {
    await expect(propose(1)).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status: 'AWAITING_APPROVAL', allowed: expect.arrayContaining(['approve_override']) },
    });
    const params = { review_id: '00000000-0000-4000-8000-000000000000' };
    const body = { limit_amount: 1, reason: 'Why not.' };
    await expect(ada(proposeOverride, { params, body })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
