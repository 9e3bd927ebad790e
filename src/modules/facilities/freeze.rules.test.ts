/** A facility that was frozen when its period ended, or later. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freezeFacility, unfreezeFacility } from '#modules/facilities';
import { decideReview } from '#modules/reviews';
import { addFacility, facilityOf, makeDueOfFacilities } from '#test/facilities';
import { operate } from '#test/operator';
import { expectProblem } from '#test/problem';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;
const END = NOW + 90 * DAY;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const input = (buyer: string) => ({ params: { external_id: buyer }, body: { reason: 'Fraud?' } });
const renew = (buyer: string) => world.post(`/v1/buyers/${buyer}/facility/renew`);
const simulate = (buyer_external_id: string, trigger: string) =>
  world.post('/v1/sandbox/facilities', { buyer_external_id, trigger });

/** Frozen the day after it was granted, and expired. */
async function frozenThenExpired(buyer: string): Promise<void> {
  world.clock.set(NOW);
  await addFacility(world, buyer);
  world.clock.set(NOW + DAY);
  await operate(world, freezeFacility, input(buyer));
  await expire(buyer);
}

async function expire(buyer: string): Promise<void> {
  const made = (await makeDueOfFacilities(world, END)).filter(({ externalId }) => externalId === buyer);
  // It is not renewed automatically.
  expect(made).toEqual([{ dueAt: END, resource: 'facility', externalId: buyer, trigger: 'expire' }]);
  world.clock.set(END + DAY);
}

/** Decides the open review of the buyer. */
async function decide(buyer: string, outcome: string) {
  const [review] = await world.sql<{ review_id: string }>(
    "select review_id from credit_reviews where buyer_external_id = $1 and status = 'OPEN'",
    [buyer],
  );
  return operate(world, decideReview, { params: { ...review }, body: { outcome, reason: 'As I see it.' } });
}

describe('a freeze of a facility whose period has ended', () => {
  it('leaves it EXPIRED, and refuses a renewal until operators end it', async () => {
    const buyer = 'frozen-late';
    world.clock.set(NOW);
    await addFacility(world, buyer);
    await simulate(buyer, 'expire');
    await operate(world, freezeFacility, input(buyer));
    expect(await facilityOf(world, buyer)).toMatchObject({ status: 'EXPIRED', frozen_at: NOW });
    expect((await recordedEvents(world, buyer)).at(-1)).toMatchObject({
      type: 'FACILITY.FROZEN',
      data: { status: 'EXPIRED', previous_status: 'EXPIRED' },
    });
    expectProblem(await renew(buyer), 'UNPROCESSABLE_ENTITY', 'FACILITY_FROZEN');
    await expect(operate(world, freezeFacility, input(buyer))).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      message: 'The facility is frozen',
      details: {
        status: 'EXPIRED',
        trigger: 'freeze',
        allowed: ['renew', 'refer_renewal', 'reject_renewal', 'unfreeze', 'reject_increase'],
      },
    });
    await operate(world, unfreezeFacility, input(buyer));
    expect((await renew(buyer)).status).toBe(202);
    expect((await facilityOf(world, buyer)).status).toBe('ACTIVE');
  });

  it('refuses to accept a renewal that was under review', async () => {
    const buyer = 'frozen-in-review';
    world.clock.set(NOW);
    await addFacility(world, buyer);
    await simulate(buyer, 'grant');
    await simulate(buyer, 'expire');
    expect((await renew(buyer)).status).toBe(202);
    await operate(world, freezeFacility, input(buyer));
    await expect(decide(buyer, 'ACCEPT')).rejects.toMatchObject({ reason: 'FACILITY_FROZEN' });
  });
});

describe('a freeze that outlasts the period', () => {
  it('is shown, and refuses a renewal by the API', async () => {
    await frozenThenExpired('asks');
    const expired = await facilityOf(world, 'asks');
    expect(expired).toMatchObject({ status: 'EXPIRED', frozen_at: NOW + DAY });
    const problem = expectProblem(await renew('asks'), 'UNPROCESSABLE_ENTITY', 'FACILITY_FROZEN');
    expect(problem.details).toMatchObject({ frozen_at: NOW + DAY });
    expect(await facilityOf(world, 'asks')).toEqual(expired);
  });

  it('refuses a renewal by the simulator', async () => {
    await frozenThenExpired('simulated');
    expectProblem(await simulate('simulated', 'renew'), 'UNPROCESSABLE_ENTITY', 'FACILITY_FROZEN');
    expect((await simulate('simulated', 'reject_renewal')).body.status).toBe('EXPIRED');
  });

  it('refuses to accept a renewal that was pending when it began, and not to reject it', async () => {
    const buyer = 'waits-in-review';
    world.clock.set(NOW);
    await addFacility(world, buyer);
    await simulate(buyer, 'grant');
    expect((await renew(buyer)).status).toBe(202);
    world.clock.set(NOW + DAY);
    await operate(world, freezeFacility, input(buyer));
    await expire(buyer);
    await expect(decide(buyer, 'ACCEPT')).rejects.toMatchObject({ reason: 'FACILITY_FROZEN' });
    expect(await facilityOf(world, buyer)).toMatchObject({
      status: 'EXPIRED',
      pending_actions: [{ type: 'RENEWAL' }],
    });
    expect(await decide(buyer, 'REJECT')).toMatchObject({ status: 'DECIDED' });
  });

  it('ends by operators: the facility stays EXPIRED until it is renewed', async () => {
    await frozenThenExpired('cleared');
    await operate(world, unfreezeFacility, input('cleared'));
    expect(await facilityOf(world, 'cleared')).toMatchObject({
      status: 'EXPIRED',
      frozen_at: null,
      available_amount: 0,
    });
    expect((await recordedEvents(world, 'cleared')).at(-1)).toMatchObject({
      type: 'FACILITY.UNFROZEN',
      data: { status: 'EXPIRED', previous_status: 'EXPIRED' },
    });
    expect((await facilityTransitions(world, 'cleared')).at(-1)).toMatchObject({
      trigger: 'unfreeze',
      actor: 'operator:ada',
      reason: 'Fraud?',
    });
    expect((await renew('cleared')).status).toBe(202);
    expect((await facilityOf(world, 'cleared')).status).toBe('ACTIVE');
  });

  it('cannot be ended twice', async () => {
    await frozenThenExpired('twice');
    await operate(world, unfreezeFacility, input('twice'));
    await expect(operate(world, unfreezeFacility, input('twice'))).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: {
        status: 'EXPIRED',
        trigger: 'unfreeze',
        allowed: ['renew', 'refer_renewal', 'reject_renewal', 'freeze', 'reject_increase'],
      },
    });
  });

  it('is not forgotten by a renewal while the facility is FROZEN', async () => {
    world.clock.set(NOW);
    await addFacility(world, 'renewed');
    await operate(world, freezeFacility, input('renewed'));
    await renew('renewed');
    expect(await facilityOf(world, 'renewed')).toMatchObject({ status: 'FROZEN', frozen_at: NOW });
  });

  it('keeps the database from an ACTIVE facility', async () => {
    await frozenThenExpired('written');
    await expect(
      world.sql("update facilities set status = 'ACTIVE' where buyer_external_id = 'written'"),
    ).rejects.toThrow('facilities_frozen_at_check');
  });
});
