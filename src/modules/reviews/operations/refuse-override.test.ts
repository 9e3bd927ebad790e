import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operatorOf } from '#test/operator';
import { createWorld, type World } from '#test/world';
import { decideReview, listReviews, proposeOverride, refuseOverride } from '../index.ts';

describe('refuseOverride', () => {
  let world: World;
  let ada: ReturnType<typeof operatorOf>;
  let params: { review_id: string };
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    ada = operatorOf(world, 'ada');
    await world.post('/v1/buyers', buyerBody({ external_id: 'b-in-review' }));
    await world.post('/v1/buyers/b-in-review/facility', { requested_amount: 70_000 });
    params = { review_id: (await ada(listReviews, {})).items[0].review_id };
  });
  afterAll(() => world.close());

  const refuse = () => ada(refuseOverride, { params, body: { reason: 'Too much.' } });

  it('is refused without a proposal', async () => {
    await expect(refuse()).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
  });

  it('opens the review again, which one person can then decide', async () => {
    await ada(proposeOverride, { params, body: { limit_amount: 900_000, reason: 'Grows fast.' } });
    expect(await refuse()).toMatchObject({ status: 'OPEN', override_amount: null, override_by: null });
    await ada(decideReview, { params, body: { outcome: 'ACCEPT', reason: 'As proposed.' } });
    expect((await world.get('/v1/buyers/b-in-review/facility')).body).toMatchObject({
      status: 'ACTIVE',
      total_amount: 70_000,
    });
    const history = await world.sql('select trigger from credit_review_transitions order by version');
    expect(history.map(({ trigger }) => trigger)).toEqual([
      'open',
      'propose_override',
      'refuse_override',
      'decide',
    ]);
  });

  it('finds no other review', async () => {
    const other = { params: { review_id: 'nonsense' }, body: { reason: 'Why.' } };
    await expect(ada(refuseOverride, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
