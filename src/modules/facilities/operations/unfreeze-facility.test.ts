import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freezeFacility, unfreezeFacility } from '#modules/facilities';
import { addFacility, facilityOf, makeDueOfFacilities } from '#test/facilities';
import { operate } from '#test/operator';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const input = (buyer: string) => ({ params: { external_id: buyer }, body: { reason: 'It is clear now.' } });

describe('unfreezing a facility', () => {
  it('allows new orders again and records an event', async () => {
    await addFacility(world, 'thawed');
    await operate(world, freezeFacility, input('thawed'));
    expect(await operate(world, unfreezeFacility, input('thawed'))).toEqual(
      await facilityOf(world, 'thawed'),
    );
    expect((await facilityOf(world, 'thawed')).status).toBe('ACTIVE');
    expect((await recordedEvents(world, 'thawed')).at(-1)).toMatchObject({
      type: 'FACILITY.UNFROZEN',
      data: { sequence: 3, status: 'ACTIVE', previous_status: 'FROZEN' },
    });
    const { body } = await world.get('/v1/buyers/thawed/payment_terms?gross_amount=100');
    expect(body.payment_terms.length).toBeGreaterThan(1);
  });

  it('requests a renewal that fell due during the freeze as of now', async () => {
    await addFacility(world, 'late');
    await operate(world, freezeFacility, input('late'));
    expect(await makeDueOfFacilities(world, NOW + 80 * DAY)).not.toContainEqual(
      expect.objectContaining({ externalId: 'late' }),
    );
    world.clock.set(NOW + 80 * DAY);
    await operate(world, unfreezeFacility, input('late'));
    const made = await makeDueOfFacilities(world, NOW + 80 * DAY);
    expect(made).toMatchObject([{ externalId: 'late', dueAt: NOW + 80 * DAY, trigger: 'renew' }]);
    expect(await facilityOf(world, 'late')).toMatchObject({ expires_at: NOW + 180 * DAY });
    world.clock.set(NOW);
  });

  it('is refused for one that is not frozen', async () => {
    await addFacility(world, 'warm');
    await expect(operate(world, unfreezeFacility, input('warm'))).rejects.toMatchObject({
      reason: 'INVALID_STATUS_TRANSITION',
      details: { status: 'ACTIVE', trigger: 'unfreeze' },
    });
  });
});
