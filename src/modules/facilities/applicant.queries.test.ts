import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFacility, facilityOf } from '#test/facilities';
import { createWorld, type World } from '#test/world';
import { findApplicant } from './applicant.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
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

  it('is unknown to another platform', async () => {
    const { platform } = await world.addPlatform();
    expect(await applicant('kontor', platform)).toBeUndefined();
    expect(await applicant('nobody')).toBeUndefined();
  });
});
