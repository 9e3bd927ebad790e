import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { NO_ADDRESS, registerId, registryEntry, vatId } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const FIELDS = [
  'legal_name',
  'legal_form',
  'trading_name',
  'incorporated_at',
  'business_address',
  'business_identifiers',
];

const CHANGES: [field: string, value: unknown][] = [
  ['legal_name', 'Nordlicht SE'],
  ['trading_name', null],
  ['incorporated_at', 0],
  ['business_address', { ...NO_ADDRESS, postcode: '25813', city: 'Husum' }],
  ['business_identifiers', [registerId('HRB 70008'), vatId('DE811907980')]],
];

describe('PUT /v1/buyers/{external_id}, of a buyer from the registry', () => {
  let world: World;
  let made = 0;
  beforeAll(async () => {
    world = await createWorld();
    await writeCompanies(world.installation.db, [registryEntry({})], 1_700_000_000);
  });
  afterAll(() => world.close());

  /** A new buyer whose every field came from the registry, and the PUT that changes nothing. */
  const onboard = async () => {
    const { body: buyer } = await world.post('/v1/buyers', {
      external_id: `buyer-${++made}`,
      business_identifiers: [vatId('DE811907980')],
    });
    const same = Object.fromEntries(FIELDS.map((field) => [field, buyer[field]]));
    return { buyer, same, path: `/v1/buyers/${buyer.external_id}` };
  };

  describe('200', () => {
    it('changes nothing if every field is sent unchanged', async () => {
      const { buyer, same, path } = await onboard();
      expect((await world.put(path, same)).body).toEqual(buyer);
      expect(await recordedEvents(world, buyer.external_id)).toHaveLength(1);
    });

    it('leaves the fields to the registry if another one changes', async () => {
      const { buyer, same, path } = await onboard();
      const { body } = await world.put(path, { ...same, registered_at: 1 });
      expect(body.registry).toEqual(buyer.registry);
      const [, event] = await recordedEvents(world, buyer.external_id);
      expect(event?.data.changed_fields).toEqual(['registered_at']);
    });

    it.each(CHANGES)('takes %s from the registry once it changes, and keeps it', async (field, value) => {
      const { buyer, same, path } = await onboard();
      const { body } = await world.put(path, { ...same, [field]: value });
      const rest = { ...buyer.registry, fields: FIELDS.filter((name) => name !== field) };
      expect(body).toMatchObject({ [field]: value, registry: rest });
      const [, event] = await recordedEvents(world, buyer.external_id);
      expect(event?.data.changed_fields).toEqual([field, 'registry']);
      const back = await world.put(path, same);
      expect(back.body).toMatchObject({ [field]: buyer[field], registry: rest });
      expect((await world.get(path)).body).toEqual(back.body);
    });

    it('leaves nothing to the registry that has no field any more', async () => {
      const { buyer, path } = await onboard();
      const other = { legal_name: 'Windrad Husum eG', legal_form: 'COOPERATIVE' };
      const { body } = await world.put(path, { ...Object.fromEntries(CHANGES), ...other });
      expect(body.registry).toBeNull();
      expect((await world.get(path)).body.registry).toBeNull();
      expect(
        await world.sql('select registry_company_id from buyers where external_id = $1', [buyer.external_id]),
      ).toEqual([{ registry_company_id: null }]);
    });
  });
});
