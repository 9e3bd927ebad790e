import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postcodeExample } from '#kernel/postcode';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { buyerBody } from '#test/bodies';
import { registerId, registryEntry, vatId } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  await writeCompanies(world.installation.db, [registryEntry({})], world.clock.now());
});
afterAll(() => world.close());

/** Nordlicht Energie AG, which the registry has as a public company. */
const known = { legal_name: 'Nordlicht Energie AG', business_identifiers: [registerId('HRB 70008')] };
const post = (more: object) =>
  world.post('/v1/buyers', buyerBody({ external_id: `buyer-${++made}`, ...known, ...more }));
const know = (more: Partial<RegistryEntry>) =>
  writeCompanies(
    world.installation.db,
    [registryEntry({ registryKey: `${++made}`, ...more })],
    world.clock.now(),
  );

describe('the legal form of POST /v1/buyers', () => {
  it('422 LEGAL_FORM_MISMATCH names the claimed form, the one of the registry, and the company', async () => {
    const { status, body } = await post({ legal_form: 'GOVERNMENT' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      reason: 'LEGAL_FORM_MISMATCH',
      details: { legal_form: 'GOVERNMENT', registry_legal_form: 'PUBLIC_COMPANY', business_id: 'TEST-1' },
    });
    expect((await world.get(`/v1/buyers/buyer-${made}`)).status).toBe(404);
  });

  it.each([
    ['the form of the registry', { legal_form: 'PUBLIC_COMPANY' }],
    [
      'the number of a company with another name',
      { legal_name: 'Anders GmbH', legal_form: 'LIMITED_COMPANY' },
    ],
    ['a number that no company has', { business_identifiers: [registerId('HRB 70009')] }],
    ['no number', { business_identifiers: [] }],
    [
      'the number of an agency',
      { business_identifiers: [{ type: 'AGENCY1_ID', value: '1', country: 'DE' }] },
    ],
  ])('201 for %s', async (_what, more) => {
    expect((await post(more)).status).toBe(201);
  });

  it('201 if one of several registries has the company with the claimed form', async () => {
    await know({ registry: 'OTHER', legalForm: 'eG' });
    expect((await post({ legal_form: 'COOPERATIVE' })).status).toBe(201);
    expect((await post({ legal_form: 'LIMITED_COMPANY' })).status).toBe(422);
  });

  it('422 also where the registry fills what the request leaves out', async () => {
    await know({ identifiers: [vatId('DE136695976')] });
    const { status, body } = await world.post('/v1/buyers', {
      external_id: `buyer-${++made}`,
      legal_form: 'SOLE_TRADER',
      business_identifiers: [vatId('DE136695976')],
    });
    expect([status, body.reason]).toEqual([422, 'LEGAL_FORM_MISMATCH']);
  });

  it.each(['US', 'CA', 'NZ'])('400 at body.legal_form for a form that %s does not have', async (country) => {
    const { status, body } = await post({
      legal_form: 'PUBLIC_COMPANY',
      business_identifiers: [],
      business_address: { postcode: postcodeExample(country) ?? '1', city: 'Capital', country },
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      {
        code: 'INVALID_VALUE',
        path: 'body.legal_form',
        message: `is not a legal form of ${country}; GET /v1/legal_forms lists them`,
      },
    ]);
  });

  it.each([
    ['US', 'OTHER'],
    ['BR', 'PUBLIC_COMPANY'],
  ])('201 in %s for %s', async (country, legal_form) => {
    const business_address = { postcode: postcodeExample(country) ?? '1', city: 'Capital', country };
    expect((await post({ legal_form, business_identifiers: [], business_address })).status).toBe(201);
  });
});

describe('the legal form of PUT /v1/buyers/{external_id}', () => {
  const put = (id: string, more: object) => {
    const { external_id: _, ...body } = buyerBody({ ...known, legal_form: 'PUBLIC_COMPANY', ...more });
    return world.put(`/v1/buyers/${id}`, body);
  };

  it('422 and 400 as for POST, and the buyer stays as it was', async () => {
    await world.sql('truncate registry_companies, registry_followed');
    await know({});
    await post({ legal_form: 'PUBLIC_COMPANY' });
    const id = `buyer-${made}`;
    const mismatch = await put(id, { legal_form: 'GOVERNMENT' });
    expect([mismatch.status, mismatch.body.reason]).toEqual([422, 'LEGAL_FORM_MISMATCH']);
    const foreign = await put(id, {
      business_address: { postcode: '10001', city: 'Capital', country: 'US' },
    });
    expect([foreign.status, foreign.body.issues[0].path]).toEqual([400, 'body.legal_form']);
    expect((await world.get(`/v1/buyers/${id}`)).body).toMatchObject({ legal_form: 'PUBLIC_COMPANY' });
  });

  it('200 for a buyer from before the refusal, as long as nothing of the company changes', async () => {
    await post({ legal_form: 'PUBLIC_COMPANY' });
    const id = `buyer-${made}`;
    await world.sql("update buyers set legal_form = 'GOVERNMENT' where external_id = $1", [id]);
    const changed = { legal_form: 'GOVERNMENT', trading_name: 'Nordlicht' };
    expect((await put(id, changed)).status).toBe(200);
    expect((await put(id, { ...changed, legal_name: 'Nordlicht Energie' })).status).toBe(422);
  });
});
