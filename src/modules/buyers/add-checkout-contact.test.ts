import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { addCheckoutContact, type CheckoutPerson } from '#modules/buyers';
import { buyerBody } from '#test/bodies';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const ADA = {
  salutation: 'MS',
  first_name: 'Ada',
  last_name: 'Zebrafink',
  email: 'ada@example.com',
  phone: '+493012345678',
} as const;

let world: World;
let buyer = '';
let made = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  buyer = `buyer-${++made}`;
  await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
});

function add(person: CheckoutPerson, to = buyer) {
  const { db, vault } = world.installation;
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  const deps = { platformId, vault: vault.forPlatform(code, data_key_wrapped), now: NOW };
  return inTransaction(db, (transaction) => addCheckoutContact({ ...deps, db: transaction }, to, person));
}

const contactsOf = async () => (await world.get(`/v1/contacts?buyer_external_id=${buyer}`)).body.items;

describe('addCheckoutContact', () => {
  it('registers the person for all invoices of the buyer, encrypted', async () => {
    const { external_id } = await add(ADA);
    expect(external_id).toMatch(/^checkout-[0-9a-f]{16}$/);
    expect((await world.get(`/v1/contacts/${external_id}`)).body).toEqual({
      ...ADA,
      external_id,
      buyer_external_id: buyer,
      assign_to_all_invoices: true,
      created_at: NOW,
      updated_at: NOW,
      address: null,
    });
    expect(await tablesHolding(world, ['Zebrafink', ADA.email])).toEqual([]);
  });

  it('returns the contact with this address and does not change it', async () => {
    const sent = { external_id: `known-${made}`, buyer_external_id: buyer, email: 'ADA@example.com' };
    await world.post('/v1/contacts', sent);
    expect(await add(ADA)).toMatchObject({ ...sent, last_name: null, assign_to_all_invoices: false });
    expect(await contactsOf()).toHaveLength(1);
  });

  it('adds a contact with another address, and ignores the contacts of other buyers', async () => {
    await add(ADA);
    await add({ ...ADA, email: 'grace@example.com' });
    expect(await contactsOf()).toHaveLength(2);
    await world.post('/v1/buyers', buyerBody({ external_id: 'neighbour' }));
    expect((await add(ADA, 'neighbour')).buyer_external_id).toBe('neighbour');
  });

  it('adds one of many that come at the same time', async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => add(ADA)));
    expect(new Set(added.map(({ external_id }) => external_id)).size).toBe(1);
  });

  it('refuses what no contact could have, and an unknown buyer', async () => {
    await expect(add({ ...ADA, phone: '030' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'body.phone' }],
    });
    expect(await contactsOf()).toEqual([]);
    await expect(add(ADA, 'nobody')).rejects.toMatchObject({ status: 404 });
  });
});
