import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freezeFacility } from '#modules/facilities';
import { addFacility, facilityOf, makeDueOfFacilities, ORDINARY_LIMIT } from '#test/facilities';
import { operate } from '#test/operator';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const freeze = (buyer: string, reason = 'Fraud is suspected.') =>
  operate(world, freezeFacility, { params: { external_id: buyer }, body: { reason } });

describe('freezing a facility', () => {
  it('stops new orders and records an event, with actor and reason in the history', async () => {
    await addFacility(world, 'frozen');
    expect(await freeze('frozen')).toEqual(await facilityOf(world, 'frozen'));
    expect(await facilityOf(world, 'frozen')).toMatchObject({
      status: 'FROZEN',
      total_amount: ORDINARY_LIMIT,
      available_amount: 0,
      expires_at: NOW + 90 * DAY,
    });
    expect((await facilityTransitions(world, 'frozen'))[1]).toMatchObject({
      trigger: 'freeze',
      actor: 'operator:ada',
      reason: 'Fraud is suspected.',
      decision_id: null,
    });
    expect((await recordedEvents(world, 'frozen')).at(-1)).toMatchObject({
      type: 'FACILITY.FROZEN',
      data: { sequence: 2, status: 'FROZEN', previous_status: 'ACTIVE', available_amount: 0 },
    });
    const { body } = await world.get('/v1/buyers/frozen/payment_terms?gross_amount=100');
    expect(body.payment_terms.map((offer: { payment_term: string }) => offer.payment_term)).toEqual([
      'PREPAYMENT',
    ]);
    expect(body.unavailable_terms[0]).toEqual({ payment_term: 'DEFER_3D', reason: 'FACILITY_FROZEN' });
  });

  it('leaves the period running: it ends, unless it is renewed', async () => {
    await addFacility(world, 'ends-frozen');
    await freeze('ends-frozen');
    const made = await makeDueOfFacilities(world, NOW + 90 * DAY);
    expect(made.filter(({ externalId }) => externalId === 'ends-frozen')).toMatchObject([
      { dueAt: NOW + 90 * DAY, trigger: 'expire' },
    ]);
    expect(await facilityOf(world, 'ends-frozen')).toMatchObject({ status: 'EXPIRED', available_amount: 0 });
  });

  it('is renewed while it is frozen, and stays so', async () => {
    await addFacility(world, 'renewed-frozen');
    await freeze('renewed-frozen');
    world.clock.set(NOW + DAY);
    await world.post('/v1/buyers/renewed-frozen/facility/renew');
    expect(await facilityOf(world, 'renewed-frozen')).toMatchObject({
      status: 'FROZEN',
      expires_at: NOW + 91 * DAY,
    });
    world.clock.set(NOW);
  });

  it.each([
    ['twice', 'frozen-twice', 'FROZEN'],
    ['a rejected one', 'never-rejected', 'REJECTED'],
    ['one under review', 'never-in-review', 'PENDING'],
  ])('is refused for %s', async (_, buyer, status) => {
    await addFacility(world, buyer);
    if (status === 'FROZEN') await freeze(buyer);
    await expect(freeze(buyer)).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status, trigger: 'freeze' },
    });
  });

  it('is refused for a buyer without one', async () => {
    await expect(freeze('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
