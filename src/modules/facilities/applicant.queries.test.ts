import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideReview, listReviews } from '#modules/reviews';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addFacility, facilityOf } from '#test/facilities';
import { operate } from '#test/operator';
import { createWorld, type World } from '#test/world';
import { findApplicant } from './applicant.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(1_763_640_000);
});
afterAll(() => world.close());

const applicant = (buyerExternalId: string, { platform_id: platformId } = world.platform) =>
  findApplicant(world.installation.db, { platformId, buyerExternalId, at: world.clock.now() });

describe('an applicant', () => {
  it('is the buyer, what it has, and which decision that came from', async () => {
    await addFacility(world, 'kontor');
    const { total_amount } = await facilityOf(world, 'kontor');
    expect(await applicant('kontor')).toMatchObject({
      buyer: {
        external_id: 'kontor',
        legal_name: expect.any(String),
        business_identifiers: expect.any(Array),
      },
      standing: { facility: { status: 'ACTIVE', total_amount }, overdue: [] },
      lastDecided: 1,
    });
  });

  it('is confirmed by a person who granted credit, until its name or numbers change', async () => {
    await addFacility(world, 'known-in-review');
    expect((await applicant('known-in-review'))?.confirmation).toBeNull();
    const query = { buyer_external_id: ['known-in-review'] };
    const [review] = (await operate(world, listReviews, { query })).items;
    await operate(world, decideReview, {
      params: { review_id: review.review_id },
      body: { outcome: 'ACCEPT', reason: 'We know them.' },
    });
    expect((await applicant('known-in-review'))?.confirmation).toEqual({
      decisionId: expect.any(String),
      at: world.clock.now(),
    });
    const {
      external_id: _,
      created_at,
      updated_at,
      max_days_past_due,
      registry,
      ...body
    } = (await world.get('/v1/buyers/known-in-review')).body;
    world.clock.set(world.clock.now() + 10);
    await world.put('/v1/buyers/known-in-review', { ...body, trading_name: 'Kontor' });
    expect((await applicant('known-in-review'))?.confirmation).not.toBeNull();
    await world.put('/v1/buyers/known-in-review', { ...body, legal_name: 'Another GmbH' });
    expect((await applicant('known-in-review'))?.confirmation).toBeNull();
  });

  it('has a first order until one is confirmed', async () => {
    expect((await applicant('kontor'))?.isFirstOrder).toBe(true);
    await world.post('/v1/merchants', merchantBody({}));
    await world.post(
      '/v1/orders/draft',
      draftOrderBody({ external_id: 'draft', buyer_external_id: 'kontor' }),
    );
    expect((await applicant('kontor'))?.isFirstOrder).toBe(true);
    const order = draftOrderBody({ external_id: 'order', buyer_external_id: 'kontor' });
    const placed = await world.post('/v1/orders', {
      ...order,
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_14D',
    });
    expect(placed.status).toBe(201);
    expect((await applicant('kontor'))?.isFirstOrder).toBe(false);
  });

  it('is unknown to another platform', async () => {
    const { platform } = await world.addPlatform();
    expect(await applicant('kontor', platform)).toBeUndefined();
    expect(await applicant('nobody')).toBeUndefined();
  });
});
