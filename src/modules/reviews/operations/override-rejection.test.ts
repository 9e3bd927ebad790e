import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { operatorOf } from '#test/operator';
import { recordedEventsOfType } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { approveOverride, listReviews, overrideRejection, refuseOverride } from '../index.ts';

describe('overrideRejection', () => {
  let world: World;
  let ada: ReturnType<typeof operatorOf>;
  let ben: ReturnType<typeof operatorOf>;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    [ada, ben] = [operatorOf(world, 'ada'), operatorOf(world, 'ben')];
  });
  afterAll(() => world.close());

  const apply = async (buyer: string) => {
    await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
    return world.post(`/v1/buyers/${buyer}/facility`, {});
  };
  const override = (buyer_external_id: string) =>
    ada(overrideRejection, {
      params: { buyer_external_id },
      body: { limit_amount: 30_000, reason: 'Their parent vouches for them.' },
    });
  const facility = async (buyer: string) => (await world.get(`/v1/buyers/${buyer}/facility`)).body;
  const conclude = (operation: Parameters<typeof ben>[0], review_id: string) =>
    ben(operation, { params: { review_id }, body: { reason: 'Seen.' } });

  it('opens a review of the rejection, and grants nothing yet', async () => {
    expect((await apply('a-rejected')).body.status).toBe('REJECTED');
    const review = await override('a-rejected');
    expect(review).toMatchObject({ status: 'AWAITING_APPROVAL', override_amount: 30_000 });
    expect((await facility('a-rejected')).status).toBe('REJECTED');
    await conclude(approveOverride, review.review_id);
    expect(await facility('a-rejected')).toMatchObject({ status: 'ACTIVE', total_amount: 30_000 });
  });

  it('uses the review that is already open', async () => {
    await apply('b-rejected');
    const first = await override('b-rejected');
    await expect(override('b-rejected')).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
    await conclude(refuseOverride, first.review_id);
    expect((await override('b-rejected')).review_id).toBe(first.review_id);
    expect((await ada(listReviews, { query: { buyer_external_id: ['b-rejected'] } })).total).toBe(1);
  });

  it('sets the limit if the buyer was granted another one in between, and records an event', async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'c' }));
    const contact = { buyer_external_id: 'c', email: 'rejected@c.example' };
    await world.post('/v1/contacts', { external_id: 'owner', ...contact });
    expect((await apply('c')).body.status).toBe('REJECTED');
    const review = await override('c');
    await world.put('/v1/contacts/owner', { ...contact, email: 'low-limit@c.example' });
    expect((await apply('c')).body).toMatchObject({ status: 'ACTIVE', total_amount: 10_000 });

    await conclude(approveOverride, review.review_id);
    expect(await facility('c')).toMatchObject({ status: 'ACTIVE', total_amount: 30_000 });
    const [event] = await recordedEventsOfType(world, 'FACILITY.LIMIT.CHANGED');
    expect(event?.data).toMatchObject({
      buyer_external_id: 'c',
      total_amount: 30_000,
      previous_total_amount: 10_000,
    });
  });

  it('finds nothing to override after a simulator decided and ended the review', async () => {
    await apply('e-rejected');
    const review = await override('e-rejected');
    world.clock.set(world.clock.now() + 1);
    await world.post('/v1/sandbox/facilities', { buyer_external_id: 'e-rejected', trigger: 'grant' });
    await expect(override('e-rejected')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(conclude(approveOverride, review.review_id)).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
    });
  });

  it('is refused if the last decision was none by the policy, or no refusal', async () => {
    await apply('d-accepted');
    for (const buyer of ['d-accepted', 'nobody'])
      await expect(override(buyer)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
