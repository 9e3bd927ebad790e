import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuyerRow, emailsOf, findBuyerOnFile, findBuyers, findContactsOfBuyer } from '#modules/buyers';
import { buyerBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function registry(more: object = {}): Promise<string> {
  const external_id = `buyer-${++made}`;
  expect((await world.post('/v1/buyers', buyerBody({ external_id, ...more }))).status).toBe(201);
  return external_id;
}

/** Adds a contact at a later instant than all earlier ones. */
async function addContact(buyer: string, email: string | null, isForInvoices = false): Promise<string> {
  world.clock.set(1_800_000_000 + ++made);
  const external_id = `contact-${made}`;
  const more = { email, assign_to_all_invoices: isForInvoices, last_name: external_id };
  await world.post('/v1/contacts', { external_id, buyer_external_id: buyer, ...more });
  return external_id;
}

const deps = (buyer: string) => {
  const { db, vault } = world.installation;
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  return [db, vault.forPlatform(code, data_key_wrapped), { platformId, externalId: buyer }] as const;
};
const fileOf = (buyer: string, ofOrder?: { email: string; givenAt: number; isFromMerchant?: boolean }) =>
  findBuyerOnFile(...deps(buyer), ofOrder && { isFromMerchant: false, ...ofOrder });

describe('findBuyerFile', () => {
  it('returns only the address of an invited buyer', async () => {
    await world.post('/v1/buyers', { external_id: 'invited', contact_email: 'ada@example.com' });
    expect(await fileOf('invited')).toEqual({
      company: null,
      email: 'ada@example.com',
      isCompanyFromPlatform: false,
      companyEmails: [],
      person: null,
      deliveryAddress: null,
      country: null,
      language: null,
      formality: null,
      checkout_language: null,
    });
  });

  it('has the company, where it is delivered to, and how it is addressed', async () => {
    const delivery_address = { postcode: '53111', city: 'Bonn', country: 'DE' };
    const buyer = await registry({ delivery_address });
    await world.put(`/v1/buyers/${buyer}/settings`, { language: 'DE', formality: 'NEUTRAL' });
    const file = await fileOf(buyer);
    expect(file?.company).toMatchObject({ external_id: buyer, legal_name: 'Café Morgenrot eG' });
    expect(file).toMatchObject({
      deliveryAddress: delivery_address,
      email: null,
      person: null,
      language: 'DE',
      formality: 'NEUTRAL',
    });
  });

  it('prefers the address of the order to that of the buyer, and that to those of contacts', async () => {
    const buyer = await registry();
    const contact = await addContact(buyer, 'contact@example.com', true);
    expect(await fileOf(buyer)).toMatchObject({
      email: 'contact@example.com',
      person: { external_id: contact },
    });
    const own = { ...buyerBody({ contact_email: 'buyer@example.com', business_identifiers: [] }) };
    const { external_id: _, ...body } = own;
    await world.put(`/v1/buyers/${buyer}`, body);
    expect(await fileOf(buyer)).toMatchObject({ email: 'buyer@example.com', person: null });
    expect(await fileOf(buyer, { email: 'Contact@example.com', givenAt: 0 })).toMatchObject({
      email: 'Contact@example.com',
      person: { external_id: contact },
    });
  });

  it('prefers contacts with all invoices, then the oldest one that has an address', async () => {
    const buyer = await registry();
    await addContact(buyer, null, true);
    const first = await addContact(buyer, 'first@example.com');
    await addContact(buyer, 'second@example.com');
    expect((await fileOf(buyer))?.person?.external_id).toBe(first);
    const third = await addContact(buyer, 'third@example.com', true);
    await addContact(buyer, 'fourth@example.com', true);
    expect((await fileOf(buyer))?.person?.external_id).toBe(third);
  });

  it('has the addresses of the company that the platform gave since it named the company', async () => {
    const emails = async (givenAt: number) =>
      (await fileOf(buyer, { email: 'order@example.com', givenAt }))?.companyEmails;
    const rename = async (legal_name: string, more: object = {}) => {
      world.clock.set(1_800_000_000 + ++made);
      const { external_id: _, ...body } = buyerBody({ legal_name, business_identifiers: [], ...more });
      expect((await world.put(`/v1/buyers/${buyer}`, body)).status).toBe(200);
    };
    const buyer = await registry({ contact_email: 'buyer@example.com' });
    const contact = await addContact(buyer, 'contact@example.com');
    const before = world.clock.now();
    expect(await emails(before)).toEqual(['order@example.com', 'buyer@example.com', 'contact@example.com']);

    await rename('Nordlicht Energie GmbH', { contact_email: 'moved@example.com' });
    expect(await emails(before)).toEqual([]);
    expect(await emails(world.clock.now() + 1)).toEqual(['order@example.com']);

    const later = await addContact(buyer, 'later@example.com');
    expect(await emails(before)).toEqual(['later@example.com']);
    for (const [id, email] of [
      [contact, 'contact@example.com'],
      [later, 'other@example.com'],
    ])
      await world.put(`/v1/contacts/${id}`, { email, first_name: 'Kim' });
    expect(await emails(before)).toEqual(['other@example.com']);
    await rename('Nordlicht Energie GmbH', { contact_email: 'buyer@example.com' });
    expect(await emails(before)).toEqual(['buyer@example.com', 'other@example.com']);
  });

  it('has no address that a key of one merchant set, until the platform sets it', async () => {
    const key = await world.addKey({ merchantExternalId: 'merchant' });
    const emails = async (isFromMerchant: boolean) =>
      (await fileOf(buyer, { email: 'order@example.com', givenAt: world.clock.now(), isFromMerchant }))
        ?.companyEmails;
    const body = buyerBody({ external_id: `buyer-${++made}`, business_identifiers: [] });
    const { external_id: buyer, ...replacement } = body;
    await world.post('/v1/buyers', { ...body, contact_email: 'buyer@example.com' }, { key });
    await world.post(
      '/v1/contacts',
      { external_id: buyer, buyer_external_id: buyer, email: 'contact@example.com' },
      { key },
    );
    expect(await emails(true)).toEqual([]);
    expect(await emails(false)).toEqual(['order@example.com']);

    await world.put(`/v1/contacts/${buyer}`, { email: 'contact@example.com' });
    await world.put(`/v1/buyers/${buyer}`, { ...replacement, contact_email: 'buyer@example.com' });
    expect(await emails(true)).toEqual(['buyer@example.com', 'contact@example.com']);

    // A key of the merchant reads the address and sends it back unchanged: it stays the platform's.
    await world.put(`/v1/contacts/${buyer}`, { email: 'contact@example.com', first_name: 'Kim' }, { key });
    expect(await emails(true)).toEqual(['buyer@example.com', 'contact@example.com']);
    await world.put(`/v1/contacts/${buyer}`, { email: 'merchant@example.com' }, { key });
    await world.put(
      `/v1/buyers/${buyer}`,
      { ...replacement, contact_email: 'merchant@example.com' },
      { key },
    );
    expect(await emails(true)).toEqual([]);
  });

  it('has the address of an invitation for the company that the platform names then', async () => {
    await world.post('/v1/buyers', { external_id: 'named-later', contact_email: 'ada@example.com' });
    const { external_id: _, ...body } = buyerBody({ business_identifiers: [] });
    expect((await world.put('/v1/buyers/named-later', body)).status).toBe(200);
    expect((await fileOf('named-later'))?.companyEmails).toEqual(['ada@example.com']);
  });

  it('does not return buyers of other platforms', async () => {
    const buyer = await registry();
    const [db, vault, key] = deps(buyer);
    const { platform } = await world.addPlatform();
    expect(await findBuyerOnFile(db, vault, { ...key, platformId: platform.platform_id })).toBeUndefined();
  });
});

describe('emailsOf', () => {
  it('answers the address of the buyer and those of its contacts', async () => {
    const buyer = await registry({ contact_email: 'buyer@example.com' });
    await addContact(buyer, 'contact@example.com');
    await addContact(buyer, null);
    const [db, vault, key] = deps(buyer);
    const [row] = await findBuyers(db, [key]);
    const contacts = await findContactsOfBuyer(db, { platformId: key.platformId, buyerExternalId: buyer });
    expect(emailsOf(vault, row as BuyerRow, contacts)).toEqual(['buyer@example.com', 'contact@example.com']);
  });

  it('lets the address of a buyer choose its outcome script', async () => {
    const buyer = await registry({ contact_email: 'in-review@example.com' });
    expect((await world.post(`/v1/buyers/${buyer}/facility`, {})).body.status).toBe('PENDING');
  });
});
