import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freezeDissolved } from '#modules/facilities';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { forgetEvents } from '#test/deliveries';
import { registerId, registryEntry, vatId } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { refreshBuyers } from './refresh-buyers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a buyer as the API returns it.
type Buyer = any;

let world: World;

describe('refreshBuyers', () => {
  const FIRST = 1_800_000_000;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    world.clock.set(FIRST);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await forgetEvents(world);
    await world.sql('delete from buyers');
    await world.sql('truncate registry_companies, registry_followed');
  });

  const know = (more: Partial<RegistryEntry>, now = FIRST) =>
    writeCompanies(world.installation.db, [registryEntry(more)], now);
  const onboard = async (externalId: string, more: object = {}, key = world.apiKey) => {
    const sent = { external_id: externalId, business_identifiers: [vatId('DE811907980')], ...more };
    return (await world.post('/v1/buyers', sent, { key })).body;
  };
  const refresh = (companiesMax = 500) =>
    refreshBuyers(world.installation.db, FIRST + 100, companiesMax, freezeDissolved);
  const read = async (externalId: string) => (await world.get(`/v1/buyers/${externalId}`)).body;
  const changesOf = async (externalId: string) =>
    (await recordedEvents(world, externalId)).slice(1).map(({ data }) => data.changed_fields);

  const changes: [field: string, entry: Partial<RegistryEntry>, value: unknown][] = [
    ['legal_name', { legalName: 'Nordlicht SE' }, 'Nordlicht SE'],
    ['legal_form', { legalForm: 'Genossenschaft' }, 'COOPERATIVE'],
    ['trading_name', { tradingName: 'NL' }, 'NL'],
    ['incorporated_at', { incorporatedAt: 86_400 }, 86_400],
    [
      'business_address',
      { address: { ...registryEntry({}).address, house: '2' } },
      { ...registryEntry({}).address, house: '2' },
    ],
    [
      'business_identifiers',
      { identifiers: [vatId('DE 811 907 980'), registerId('HRB 5 Flensburg')] },
      [vatId('DE811907980'), registerId('HRB 5 Flensburg')],
    ],
  ];
  it.each(changes)('carries %s over, with its event', async (field, entry, value) => {
    await know({});
    const buyer = await onboard('b');
    await know(entry, FIRST + 50);
    expect(await refresh()).toBe(1);
    expect(await read('b')).toEqual({
      ...buyer,
      [field]: value,
      updated_at: FIRST + 100,
      registry: { ...buyer.registry, refreshed_at: FIRST + 50 },
    });
    expect(await changesOf('b')).toEqual([[field, 'registry']]);
    expect(await refresh()).toBe(0);
  });

  it('shows that the company is dissolved', async () => {
    await know({});
    await onboard('b');
    await know({ isActive: false });
    await refresh();
    expect((await read('b')).registry.is_active).toBe(false);
    expect(await changesOf('b')).toEqual([['registry']]);
  });

  const nothing: [what: string, entry: Partial<RegistryEntry>][] = [
    ['is written again as it was', {}],
    ['has other names that no buyer has', { otherNames: ['Windkraft AG'], website: 'https://a.example' }],
    [
      'tells less than before',
      {
        tradingName: null,
        incorporatedAt: null,
        legalForm: null,
        identifiers: [],
        legalName: 'Nordlicht Energie AG',
      },
    ],
    [
      'fits no buyer any more',
      {
        legalName: `${'x'.repeat(256)} AG`,
        address: { ...registryEntry({}).address, city: null },
        incorporatedAt: -1,
      },
    ],
  ];
  it.each(nothing)('changes nothing if the company %s', async (_, entry) => {
    await know({});
    const buyer = await onboard('b');
    await know(entry, FIRST + 50);
    expect(await refresh()).toBe(1);
    expect(await read('b')).toEqual(buyer);
    expect(await changesOf('b')).toEqual([]);
  });

  it('changes nothing if the company is no longer in the registry', async () => {
    await know({});
    const buyer = await onboard('b');
    await know({ legalName: 'Nordlicht SE' });
    await world.sql('delete from registry_companies');
    await refresh();
    expect(await read('b')).toEqual(buyer);
  });

  it('keeps the values that the platform sent', async () => {
    await know({});
    await onboard('b', { legal_name: 'Own name', trading_name: null });
    await know({ legalName: 'Nordlicht SE', tradingName: 'NL', legalForm: 'SE' });
    await refresh();
    expect(await read('b')).toMatchObject({ legal_name: 'Own name', trading_name: null });
  });

  it('changes the buyers of every platform, with one event each', async () => {
    await know({});
    const { apiKey } = await world.addPlatform();
    const made = [await onboard('b'), await onboard('b', {}, apiKey), await onboard('b2')];
    await know({ legalName: 'Nordlicht SE' });
    await refresh();
    const there = await world.get('/v1/buyers/b', { key: apiKey });
    const names = [await read('b'), there.body, await read('b2')].map(({ legal_name }) => legal_name);
    expect(names).toEqual(made.map(() => 'Nordlicht SE'));
    const events = await world.sql(
      "select platform_id, count(*)::int from events where type = 'BUYER.UPDATED' group by 1 order by 1",
    );
    expect(events.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('takes the given number of companies, and the others at the next call', async () => {
    const numbers = ['DE811907980', 'DE136695976', 'DE129273398'];
    const entries = (legalName: string) =>
      numbers.map((value) =>
        registryEntry({ registryKey: value, legalName, identifiers: [vatId(value)], registry: `R_${value}` }),
      );
    await writeCompanies(world.installation.db, entries('Nordlicht AG'), FIRST);
    for (const value of numbers) await onboard(value, { business_identifiers: [vatId(value)] });
    await writeCompanies(world.installation.db, entries('Nordlicht SE'), FIRST);
    expect([await refresh(2), await refresh(2), await refresh(2)]).toEqual([2, 1, 0]);
    for (const value of numbers) expect((await read(value)).legal_name).toBe('Nordlicht SE');
  });

  it('reaches all buyers of a company that has more than one part takes', async () => {
    await know({});
    await onboard('b');
    const columns = `version, created_at, updated_at, legal_name, legal_form, trading_name, incorporated_at,
      business_identifiers, business_address, registry, registry_company_id`;
    await world.sql(`insert into buyers (platform_id, external_id, ${columns})
      select platform_id, 'b' || nth, ${columns} from buyers, generate_series(1, 1200) nth`);
    await know({ legalName: 'Nordlicht SE' });
    await refresh();
    expect((await world.get('/v1/buyers/search?query=Nordlicht%20SE&limit=1')).body.total).toBe(1_201);
    const [{ seen } = { seen: 0 }] = await world.sql<{ seen: number }>(
      "select count(distinct resource_external_id)::int as seen from events where type = 'BUYER.UPDATED'",
    );
    expect(seen).toBe(1_201);
  });

  describe('meets what happens at the same time', () => {
    it('a change by hand: the later of the two sees the earlier one', async () => {
      const ids = Array.from({ length: 20 }, (_, nth) => `b${nth}`);
      await know({});
      const buyers = await Promise.all(ids.map((id) => onboard(id)));
      await know({ legalName: 'Nordlicht SE' });
      const put = ({ legal_name, legal_form, business_identifiers, business_address, external_id }: Buyer) =>
        world.put(
          `/v1/buyers/${external_id}`,
          { legal_name, legal_form, business_identifiers, business_address, registered_at: 1 },
          { headers: { 'if-match': '"1"' } },
        );
      const [replies] = await Promise.all([Promise.all(buyers.map(put)), refresh()]);
      for (const [nth, id] of ids.entries()) {
        const isPut = replies[nth]?.status === 200;
        expect(replies[nth]?.status).toBe(isPut ? 200 : 412);
        expect(await read(id)).toMatchObject({ legal_name: 'Nordlicht SE', registered_at: isPut ? 1 : null });
        const sequences = (await recordedEvents(world, id)).map(({ data }) => data.sequence);
        expect(sequences).toEqual(isPut ? [1, 2, 3] : [1, 2]);
      }
    });

    it('an import: a buyer created during it has the imported values in the end', async () => {
      await know({});
      const rounds = Array.from({ length: 40 }, (_, nth) => `b${nth}`);
      for (const id of rounds) {
        await Promise.all([
          know({ legalName: `Nordlicht ${id} AG` }),
          onboard(id),
          refresh(),
          onboard(`${id}x`),
        ]);
        await refresh();
        expect([(await read(id)).legal_name, (await read(`${id}x`)).legal_name]).toEqual([
          `Nordlicht ${id} AG`,
          `Nordlicht ${id} AG`,
        ]);
      }
    });

    it('another worker: each change is reported once', async () => {
      await know({});
      for (let nth = 0; nth < 12; nth++) await onboard(`b${nth}`);
      await know({ legalName: 'Nordlicht SE' });
      await Promise.all([refresh(), refresh(), refresh()]);
      for (let nth = 0; nth < 12; nth++)
        expect(await changesOf(`b${nth}`)).toEqual([['legal_name', 'registry']]);
    });
  });
});
