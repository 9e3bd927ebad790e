import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { type BuyerInput, completeInvitedBuyer, refreshBuyers } from '#modules/buyers';
import { freezeDissolved } from '#modules/facilities';
import { followCompanyChosen, type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody } from '#test/bodies';
import { ADDRESS } from '#test/field-tables';
import { registerId, registryEntry, vatId } from '#test/registry-entry';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const INVITED_AT = 1_800_000_000;
const NOW = INVITED_AT + 60;
const EMAIL = 'einkauf@zebrafink.example';
const TYPED = {
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  business_address: ADDRESS,
  business_identifiers: [vatId('DE136695976')],
} as const satisfies BuyerInput;

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());
beforeEach(() => world.sql('truncate registry_companies, registry_followed'));

/** Creates an invited buyer and returns its id. */
async function invite(more: object = {}): Promise<string> {
  world.clock.set(INVITED_AT);
  const external_id = `invited-${++made}`;
  const { status } = await world.post('/v1/buyers', { external_id, contact_email: EMAIL, ...more });
  expect(status).toBe(201);
  return external_id;
}

const know = (more: Partial<RegistryEntry>, now = INVITED_AT) =>
  writeCompanies(world.installation.db, [registryEntry(more)], now);

function complete(externalId: string, seen: BuyerInput, businessId?: string) {
  const { db, vault } = world.installation;
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  const deps = { platformId, vault: vault.forPlatform(code, data_key_wrapped), now: NOW };
  return inTransaction(db, async (transaction) => {
    const chosen = businessId === undefined ? null : await followCompanyChosen(transaction, businessId);
    if (chosen === undefined) throw new Error(`The registry has no company ${businessId}.`);
    return completeInvitedBuyer({ ...deps, db: transaction }, externalId, seen, chosen);
  });
}

const read = async (id: string) => (await world.get(`/v1/buyers/${id}`)).body;

describe('completeInvitedBuyer', () => {
  it('writes what the buyer entered, and keeps the values of the platform', async () => {
    const id = await invite({ custom_data: { segment: 'gastronomy' }, registered_at: 5 });
    const before = await read(id);
    const { version } = await complete(id, { ...TYPED, trading_name: '', delivery_address: ADDRESS });
    expect(version).toBe(2);
    expect(await read(id)).toEqual({
      ...before,
      ...TYPED,
      delivery_address: ADDRESS,
      updated_at: NOW,
      contact_email: EMAIL,
    });
  });

  it('records an event with the names of the fields only', async () => {
    const id = await invite();
    await complete(id, TYPED);
    expect((await recordedEvents(world, id)).at(-1)).toMatchObject({
      type: 'BUYER.UPDATED',
      occurred_at: NOW,
      data: {
        external_id: id,
        sequence: 2,
        changed_fields: ['legal_name', 'legal_form', 'business_identifiers', 'business_address'],
      },
    });
  });

  it('takes a company that was chosen from the registry, and follows it from then on', async () => {
    await know({ registryKey: 'with-hyphens' });
    const id = await invite();
    await complete(id, {}, 'TEST-with-hyphens');
    const buyer = await read(id);
    expect(buyer).toMatchObject({
      legal_name: 'Nordlicht Energie AG',
      legal_form: 'PUBLIC_COMPANY',
      trading_name: 'Nordlicht',
      incorporated_at: 1_041_379_200,
      business_identifiers: [vatId('DE811907980'), registerId('HRB 70008')],
      registry: { registry: 'TEST', business_id: 'TEST-with-hyphens', refreshed_at: INVITED_AT },
    });
    expect(buyer.registry.fields).toHaveLength(6);
    expect((await recordedEvents(world, id)).at(-1)?.data.changed_fields).toContain('registry');
    await know({ registryKey: 'with-hyphens', legalName: 'Nordlicht SE' }, NOW + 1);
    await refreshBuyers(world.installation.db, NOW + 2, 10, freezeDissolved);
    expect((await read(id)).legal_name).toBe('Nordlicht SE');
  });

  it('keeps the values that the platform or the buyer sent with a chosen company', async () => {
    const own = { type: 'TAX_ID', value: '12 345', country: 'DE' };
    const id = await invite({ trading_name: 'Licht', business_identifiers: [own, vatId('DE 811907980')] });
    await know({});
    await complete(id, { legal_form: 'OTHER', business_identifiers: [vatId('DE811907980')] }, 'TEST-1');
    const buyer = await read(id);
    expect(buyer).toMatchObject({
      trading_name: 'Licht',
      legal_form: 'OTHER',
      business_identifiers: [own, vatId('DE 811907980'), registerId('HRB 70008')],
    });
    expect(buyer.registry.fields).toEqual([
      ...['legal_name', 'incorporated_at', 'business_address', 'business_identifiers'],
    ]);
  });

  it('links no registry company if the buyer entered everything that the registry has', async () => {
    await know({ tradingName: null, incorporatedAt: null, identifiers: [] });
    const id = await invite();
    await complete(id, TYPED, 'TEST-1');
    expect(await read(id)).toMatchObject({ ...TYPED, registry: null });
  });

  it.each<[what: string, seen: BuyerInput, businessId: string | undefined, issues: string[]]>([
    [
      'nothing',
      {},
      undefined,
      ['REQUIRED body.business_address', 'REQUIRED body.legal_form', 'REQUIRED body.legal_name'],
    ],
    ['a blank name', { ...TYPED, legal_name: ' ' }, undefined, ['TOO_SHORT body.legal_name']],
    ['an empty name', { ...TYPED, legal_name: '' }, undefined, ['REQUIRED body.legal_name']],
    ['a company without a form', {}, 'TEST-1', ['REQUIRED body.legal_form']],
  ])('refuses %s, with a 400 that names the fields', async (_, seen, businessId, issues) => {
    await know({ legalForm: 'Company type 7', legalName: 'Nordlicht' });
    const id = await invite();
    const problem = await complete(id, seen, businessId).catch((error) => error);
    expect(problem).toMatchObject({ status: 400 });
    const named = problem.issues.map(
      (issue: { code: string; path: string }) => `${issue.code} ${issue.path}`,
    );
    expect(named.sort()).toEqual(issues);
    expect((await read(id)).legal_name).toBeNull();
    expect(await world.sql('select 1 from registry_followed')).toEqual([]);
  });

  it('refuses a buyer whose company is known, and an unknown buyer', async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'known' }));
    const before = await read('known');
    await expect(complete('known', { ...TYPED, legal_name: 'Other' })).rejects.toMatchObject({
      status: 409,
      reason: 'INVALID_STATUS_TRANSITION',
    });
    expect(await read('known')).toEqual(before);
    await expect(complete('nobody', TYPED)).rejects.toMatchObject({ status: 404 });
  });

  it('completes once under concurrent calls', async () => {
    const id = await invite();
    const seen = Array.from({ length: 8 }, (_, nth) => ({ ...TYPED, legal_name: `Name ${nth}` }));
    const results = await Promise.allSettled(seen.map((each) => complete(id, each)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await recordedEvents(world, id)).toHaveLength(2);
  });
});
