import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operatorOf } from '#test/operator';
import { facilityTransitions } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { approveOverride, listReviews, proposeOverride } from '../index.ts';

describe('approveOverride', () => {
  let world: World;
  let ada: ReturnType<typeof operatorOf>;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    ada = operatorOf(world, 'ada');
  });
  afterAll(() => world.close());

  const proposed = async (buyer: string): Promise<string> => {
    await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
    await world.post(`/v1/buyers/${buyer}/facility`, { requested_amount: 70_000 });
    const { items } = await ada(listReviews, { query: { buyer_external_id: [buyer] } });
    const params = { review_id: items[0].review_id };
    await ada(proposeOverride, { params, body: { limit_amount: 900_000, reason: 'Grows fast.' } });
    return params.review_id;
  };
  const approve = (review_id: string, name: string, reason = 'Agreed.') =>
    operatorOf(world, name)(approveOverride, { params: { review_id }, body: { reason } });

  it('grants the limit once a second person agrees, and keeps both names', async () => {
    const review_id = await proposed('a-in-review');
    expect(await approve(review_id, 'ben')).toMatchObject({
      status: 'DECIDED',
      outcome: 'ACCEPT',
      decided_amount: 900_000,
      decided_by: 'operator:ben',
    });
    expect((await world.get('/v1/buyers/a-in-review/facility')).body).toMatchObject({
      status: 'ACTIVE',
      total_amount: 900_000,
    });
    const [decision] = await world.sql(
      "select actor, approved_by, reasons from credit_decisions where approved_by is not null and buyer_external_id = 'a-in-review'",
    );
    expect(decision).toEqual({
      actor: 'operator:ada',
      approved_by: 'operator:ben',
      reasons: ['OVERRIDDEN_BY_PERSONS'],
    });
  });

  it('is refused to the operator who proposed it', async () => {
    const review_id = await proposed('b-in-review');
    await expect(approve(review_id, 'ada')).rejects.toMatchObject({ reason: 'SECOND_PERSON_REQUIRED' });
    expect((await world.get('/v1/buyers/b-in-review/facility')).body.status).toBe('PENDING');
  });

  it('is won by one of two who approve at once', async () => {
    const review_id = await proposed('c-in-review');
    const outcomes = await Promise.allSettled([approve(review_id, 'ben'), approve(review_id, 'cleo')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await facilityTransitions(world, 'c-in-review')).toHaveLength(2);
  });

  it('is refused without a reason, and without a proposal', async () => {
    const review_id = await proposed('d-in-review');
    await expect(approve(review_id, 'ben', '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await approve(review_id, 'ben');
    await expect(approve(review_id, 'ben')).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
    await expect(approve('nonsense', 'ben')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
