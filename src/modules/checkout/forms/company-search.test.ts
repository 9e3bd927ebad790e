import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import {
  type CheckoutWorld,
  COMPANY,
  createCheckout,
  type Drafted,
  type Visitor,
  visit,
} from '#test/checkout';
import { NO_ADDRESS, registerId, registryEntry, vatId } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';
import { looksLikeNumber } from './company-search.ts';

const DONE = { kind: 'DONE' };
const FROM_REGISTRY = {
  legalName: 'Nordlicht Energie AG',
  legalForm: 'PUBLIC_COMPANY',
  tradingName: 'Nordlicht',
  country: 'DE',
  street: 'Deich',
  house: '1',
  additional: '',
  postcode: '25813',
  city: 'Husum',
  vatId: 'DE811907980',
  registerId: 'HRB 70008',
  businessId: 'TEST-1',
};

let world: World;
let checkout: CheckoutWorld;
let drafted: Drafted;
let visitor: Visitor;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
  await know({});
  await know({
    registryKey: '2',
    legalName: 'Studio 54 GmbH',
    tradingName: null,
    identifiers: [registerId('HRB 54')],
  });
  for (let nth = 0; nth < 15; nth++)
    await know({
      registryKey: `many-${nth}`,
      legalName: 'Bäckerei Müller GmbH',
      tradingName: null,
      identifiers: [],
    });
});
afterAll(() => world.close());
beforeEach(async () => {
  drafted = await checkout.draft();
  visitor = await visit(checkout, drafted.token);
});

const know = (...entries: Partial<RegistryEntry>[]) =>
  writeCompanies(world.installation.db, entries.map(registryEntry), 1_799_999_000);
const search = (query: string, country = 'DE', by = visitor) =>
  checkout.forms.searchCompanies(by.sender(), { country, query });
const choose = (businessId: string) =>
  visitor.send((forms, sender) => forms.chooseCompany(sender, businessId));

describe('searching for a company', () => {
  it.each(['Nordlicht Energie', 'nordlicht', 'DE811907980', '811 907 980', 'HRB 70008', 'hrb70008'])(
    'finds a company by %s',
    async (query) => {
      expect(await search(query)).toEqual({
        country: 'DE',
        query,
        total: 1,
        found: [
          {
            businessId: 'TEST-1',
            legalName: 'Nordlicht Energie AG',
            tradingName: 'Nordlicht',
            address: { ...NO_ADDRESS, street: 'Deich', house: '1', postcode: '25813', city: 'Husum' },
            identifiers: ['DE811907980', 'HRB 70008'],
          },
        ],
      });
    },
  );

  it('finds a company whose name looks like a number', async () => {
    expect((await search('Studio 54'))?.found).toMatchObject([{ businessId: 'TEST-2' }]);
  });

  it('returns at most ten, with the total', async () => {
    const { found, total } = (await search('Bäckerei Müller')) ?? {};
    expect([found?.length, total]).toEqual([10, 15]);
  });

  it.each([
    ['one character', 'N', 'DE'],
    ['spaces', '   ', 'DE'],
    ['a line break', 'Nord\nlicht', 'DE'],
    ['a NUL', 'Nord\u0000licht', 'DE'],
    ['half of a surrogate pair', 'Nordlicht \ud83d', 'DE'],
    ['more characters than a name may have', 'Nordlicht '.repeat(26), 'DE'],
    ['an unknown country', 'Nordlicht', 'XX'],
    ['another country', 'Nordlicht', 'FR'],
    ['characters with a meaning in SQL', "%_'\\;--", 'DE'],
  ])('finds nothing by %s', async (_, query, country) => {
    expect(await search(query, country)).toEqual({ country, query, found: [], total: 0 });
  });

  it('is allowed only while a company can be entered', async () => {
    await visitor.enterCompany();
    expect(await search('Nordlicht')).not.toBeNull();
    const other = await visit(checkout, drafted.token);
    expect(await search('Nordlicht', 'DE', other)).toBeNull();
    await visitor.enterDetails();
    expect(await search('Nordlicht')).toBeNull();
  });

  it('is limited to five per second and order, across links', async () => {
    const again = await visit(checkout, await checkout.create(drafted.id));
    const requested = await Promise.allSettled(
      Array.from({ length: 12 }, (_, nth) => search('Nordlicht', 'DE', nth % 2 === 0 ? visitor : again)),
    );
    const refused = requested.filter((each) => each.status === 'rejected').map((each) => each.reason);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const { token } = await checkout.draft();
    expect(await search('Nordlicht', 'DE', await visit(checkout, token))).toMatchObject({ total: 1 });
  });

  it.each([
    ['DE811907980', true],
    ['HRB 70008', true],
    ['552 100 554', true],
    ['NL 8115 93 541 B01', true],
    ['Studio 54', false],
    ['1. FC Köln', false],
    ['24/7', true],
    ['Morgenrot', false],
  ])('takes %s for a number: %s', (text, is) => {
    expect(looksLikeNumber(text)).toBe(is);
  });
});

describe('choosing a company of the registry', () => {
  it('takes over the registry’s data and links the buyer to it', async () => {
    expect(await choose('TEST-1')).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({ step: 'details', company: FROM_REGISTRY });
    expect(await visitor.enterDetails()).toEqual({ kind: 'CREDIT_DECIDED' });
    const { body } = await world.get(`/v1/buyers/${drafted.buyer}`);
    expect(body).toMatchObject({
      legal_name: 'Nordlicht Energie AG',
      legal_form: 'PUBLIC_COMPANY',
      trading_name: 'Nordlicht',
      business_address: { street: 'Deich', house: '1', postcode: '25813', city: 'Husum' },
      business_identifiers: [vatId('DE811907980'), registerId('HRB 70008')],
      registry: { registry: 'TEST', business_id: 'TEST-1', is_active: true },
    });
    expect(body.registry.fields).toEqual(
      expect.arrayContaining([
        'legal_name',
        'legal_form',
        'trading_name',
        'business_address',
        'business_identifiers',
      ]),
    );
    expect(await visitor.view()).toMatchObject({ company: FROM_REGISTRY, isCompanyOnFile: true });
  });

  it('requests the data that the registry lacks, and keeps the rest linked', async () => {
    await know({ registryKey: 'bare', legalName: 'Wattwurm', legalForm: null, tradingName: null });
    expect(await choose('TEST-bare')).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'legalForm', error: 'error.choose' }],
    });
    const { step, company } = await visitor.view();
    expect(step).toBe('company');
    expect(company).toMatchObject({
      legalName: 'Wattwurm',
      legalForm: '',
      city: 'Husum',
      businessId: 'TEST-bare',
    });
    const { businessId: _, ...typed } = { ...FROM_REGISTRY, legalName: 'Wattwurm', tradingName: '' };
    const whole = { ...typed, legalForm: 'SOLE_TRADER' as const };
    expect(await visitor.send((forms, sender) => forms.enterCompany(sender, whole))).toEqual(DONE);
    await visitor.enterDetails();
    const { body } = await world.get(`/v1/buyers/${drafted.buyer}`);
    expect(body).toMatchObject({ legal_form: 'SOLE_TRADER', registry: { business_id: 'TEST-bare' } });
    expect(body.registry.fields).not.toContain('legal_form');
    expect(body.registry.fields).toContain('legal_name');
  });

  it('is undone by typing another company', async () => {
    await choose('TEST-1');
    await visitor.enterCompany();
    expect((await visitor.view()).company).toEqual({ ...COMPANY, businessId: null });
    await visitor.enterDetails();
    expect((await world.get(`/v1/buyers/${drafted.buyer}`)).body.registry).toBeNull();
  });

  it('keeps the data that the buyer saw when the registry has removed the company', async () => {
    await know({ registryKey: 'gone' });
    await choose('TEST-gone');
    await world.sql(`delete from registry_companies where registry_key = 'gone'`);
    expect(await visitor.enterDetails()).toEqual({ kind: 'CREDIT_DECIDED' });
    expect((await world.get(`/v1/buyers/${drafted.buyer}`)).body).toMatchObject({
      legal_name: 'Nordlicht Energie AG',
      registry: null,
    });
  });

  it.each(['', 'TEST', 'TEST-404', 'TEST-\u0000', '-'.repeat(70_000), "' or 1=1 --"])(
    'refuses an unknown company: %.20s',
    async (businessId) => {
      expect(await choose(businessId)).toEqual({
        kind: 'REFUSED',
        errors: [{ field: 'businessId', error: 'error.choose' }],
      });
    },
  );
});
