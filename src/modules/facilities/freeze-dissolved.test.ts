import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { refreshBuyers } from '#modules/buyers';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody } from '#test/bodies';
import { assessNow, decide, onFacility } from '#test/facilities';
import { registeredCompany } from '#test/registered-company';
import { registryEntry, vatId } from '#test/registry-entry';
import { facilityTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { applyAssessment, openAssessedFacility } from './decide-facility.ts';
import { freezeDissolved } from './freeze-dissolved.ts';
import { setFreeze } from './operations/freeze-facility.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
afterAll(() => world.close());

const refresh = () => refreshBuyers(world.installation.db, NOW + 60, 500, freezeDissolved);
const facilityOf = async (buyer: string) => (await world.get(`/v1/buyers/${buyer}/facility`)).body;

/** Adds a buyer with every field in the request, so that none follows the registry. */
async function complete(external_id: string, more: Partial<RegistryEntry> = {}) {
  const company = { external_id, legal_name: 'Kontor Nord GmbH', legal_form: 'LIMITED_COMPANY' as const };
  const body = await registeredCompany(world, buyerBody(company), more);
  if (more.isActive === undefined) await world.post('/v1/buyers', body);
  return body;
}

describe('a facility', () => {
  it('is frozen by the refresh that learns that its company is dissolved, with the reason', async () => {
    await complete('kontor');
    expect((await world.post('/v1/buyers/kontor/facility', {})).body.status).toBe('ACTIVE');
    await complete('kontor', { isActive: false });
    expect(await refresh()).toBe(1);
    expect(await facilityOf('kontor')).toMatchObject({ status: 'FROZEN', total_amount: 1_200_000 });
    expect((await facilityTransitions(world, 'kontor')).at(-1)).toMatchObject({
      trigger: 'freeze_dissolved',
      from_status: 'ACTIVE',
      to_status: 'FROZEN',
      actor: 'service',
      reason: 'The registry says that the company is dissolved.',
    });
    const events = await recordedEvents(world, 'kontor');
    expect(events.at(-1)).toMatchObject({
      type: 'FACILITY.FROZEN',
      data: { status: 'FROZEN', previous_status: 'ACTIVE', freeze_reason: 'COMPANY_DISSOLVED' },
    });
  });

  it('is frozen once, whatever is written of the company afterwards', async () => {
    await complete('kontor', { isActive: false, website: 'https://kontor.example' });
    await refresh();
    const types = (await recordedEvents(world, 'kontor')).map(({ type }) => type);
    expect(types.filter((type) => type === 'FACILITY.FROZEN')).toHaveLength(1);
  });

  it('is frozen on every platform, also of a buyer that took its data from the registry', async () => {
    const entry = registryEntry({});
    const identifiers = [vatId('DE811907980')];
    await writeCompanies(world.installation.db, [entry], NOW);
    const { platform, apiKey } = await world.addPlatform();
    for (const key of [world.apiKey, apiKey]) {
      await world.post('/v1/buyers', { external_id: 'follower', business_identifiers: identifiers }, { key });
      expect((await world.post('/v1/buyers/follower/facility', {}, { key })).body.status).toBe('ACTIVE');
    }
    await writeCompanies(world.installation.db, [{ ...entry, isActive: false }], NOW);
    await refresh();
    for (const platformId of [world.platform.platform_id, platform.platform_id]) {
      const [facility] = await world.sql(
        "select status from facilities where platform_id = $1 and buyer_external_id = 'follower'",
        [platformId],
      );
      expect(facility).toEqual({ status: 'FROZEN' });
    }
    expect((await world.get('/v1/buyers/follower')).body.registry.is_active).toBe(false);
  });

  it('stays as it is if anything else of its company changes, or it is not ACTIVE', async () => {
    await complete('other');
    await world.post('/v1/buyers/other/facility', {});
    await complete('other', { isActive: true, website: 'https://other.example' });
    await refresh();
    expect((await facilityOf('other')).status).toBe('ACTIVE');
    await complete('refused-rejected');
    await world.post('/v1/buyers/refused-rejected/facility', {});
    await complete('refused-rejected', { isActive: false });
    await refresh();
    expect((await facilityOf('refused-rejected')).status).toBe('REJECTED');
  });

  it('takes no order while it is frozen, and is not renewed for a dissolved company', async () => {
    const { body } = await world.post('/v1/buyers/kontor/facility/renew');
    expect(body).toEqual({ buyer_external_id: 'kontor' });
    expect(await facilityOf('kontor')).toMatchObject({ status: 'FROZEN' });
    const types = (await recordedEvents(world, 'kontor')).map(({ type }) => type);
    expect(types.at(-1)).toBe('FACILITY.RENEWAL.REJECTED');
  });
});

describe('a facility of a company that was dissolved meanwhile', () => {
  const triggersOf = async (buyer: string) =>
    (await facilityTransitions(world, buyer)).map(({ trigger }) => trigger);
  /** The registry learns that the company is dissolved, and so does the refresh, which finds no ACTIVE facility. */
  async function dissolve(buyer: string): Promise<void> {
    await complete(buyer, { isActive: false });
    await refresh();
  }
  const assess = (buyer: string, about: 'CREATION' | 'RENEWAL') => assessNow(world, buyer, about);

  it('is frozen as soon as a person grants it', async () => {
    await complete('waits-in-review');
    expect((await world.post('/v1/buyers/waits-in-review/facility', {})).body.status).toBe('PENDING');
    await dissolve('waits-in-review');
    expect(await decide(world, 'waits-in-review', 'CREATION', 'ACCEPT')).toMatchObject({ status: 'FROZEN' });
    expect((await facilityTransitions(world, 'waits-in-review')).slice(1)).toMatchObject([
      { trigger: 'grant', to_status: 'ACTIVE', actor: 'operator:ada' },
      { trigger: 'freeze_dissolved', to_status: 'FROZEN', actor: 'service' },
    ]);
  });

  it('stays frozen if operators unfreeze it', async () => {
    await complete('ice');
    await world.post('/v1/buyers/ice/facility', {});
    await onFacility(world, 'ice', (context, facility) => setFreeze(context, facility, 'freeze', 'So.'));
    await dissolve('ice');
    await onFacility(world, 'ice', (context, facility) => setFreeze(context, facility, 'unfreeze', 'So.'));
    expect((await facilityOf('ice')).status).toBe('FROZEN');
    expect((await triggersOf('ice')).slice(-2)).toEqual(['unfreeze', 'freeze_dissolved']);
  });

  it('is frozen if it was dissolved between the assessment and the decision', async () => {
    await complete('race');
    const assessed = await assess('race', 'CREATION');
    expect(assessed.assessment.outcome).toBe('ACCEPT');
    await dissolve('race');
    const { db } = world.installation;
    const platformId = world.platform.platform_id;
    const opened = await inTransaction(db, (on) =>
      openAssessedFacility({ db: on, platformId, actor: 'api_key:k', now: NOW }, assessed),
    );
    expect([opened.facility.status, await triggersOf('race')]).toEqual([
      'FROZEN',
      ['grant', 'freeze_dissolved'],
    ]);
  });

  it('is frozen by a renewal, whatever that decides', async () => {
    await complete('renews');
    await world.post('/v1/buyers/renews/facility', {});
    const assessed = await assess('renews', 'RENEWAL');
    await complete('renews', { isActive: false });
    const renewed = await onFacility(world, 'renews', (context, facility) =>
      applyAssessment(context, facility, assessed),
    );
    expect([renewed.status, await triggersOf('renews')]).toEqual([
      'FROZEN',
      ['grant', 'renew', 'freeze_dissolved'],
    ]);
    // The refresh has nothing left to do.
    await refresh();
    expect(await triggersOf('renews')).toHaveLength(3);
  });
});
