import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { LegalForm } from '#kernel/fields';
import { refusal } from '#kernel/problem';
import { NO_ADDRESS, registryEntry } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';
import { writeCompanies } from './company.queries.ts';
import type { RegistryEntry } from './registry-entry.ts';
import { verifyCompany } from './verify-company.ts';

const NOW = 1_763_640_000;
const HRB = { type: 'REGISTER_ID', value: 'HRB 4711', country: 'DE' } as const;
const VAT = { type: 'VAT_ID', value: 'DE136695976', country: 'DE' } as const;
const GONE = { type: 'REGISTER_ID', value: 'HRB 99', country: 'DE' } as const;
const GONE_VAT = { type: 'VAT_ID', value: 'DE811907980', country: 'DE' } as const;
const ENDING = { type: 'REGISTER_ID', value: 'HRB 98', country: 'DE' } as const;
const LAPSED = { type: 'REGISTER_ID', value: 'HRB 97', country: 'DE' } as const;
const CLOSED = { type: 'REGISTER_ID', value: 'HRB 96', country: 'DE' } as const;
const REVIVED = { type: 'REGISTER_ID', value: 'HRB 95', country: 'DE' } as const;
const AGENCY = { type: 'AGENCY1_ID', value: '4711', country: 'DE' } as const;

const entry = (registryKey: string, legalName: string, more: Partial<RegistryEntry> = {}): RegistryEntry =>
  registryEntry({
    registryKey,
    legalName,
    tradingName: null,
    legalForm: null,
    address: { ...NO_ADDRESS, postcode: '89073', city: 'Ulm' },
    incorporatedAt: null,
    ...more,
  });

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { db } = world.installation;
  const morgenrot = { identifiers: [HRB], incorporatedAt: -86_400, tradingName: 'Morgenrot Ulm' };
  await writeCompanies(
    db,
    [
      entry('1', 'Café Morgenrot eG', { ...morgenrot, website: 'https://morgenrot.example' }),
      entry('2', 'Dissolved GmbH', { identifiers: [GONE, GONE_VAT], isActive: false }),
      entry('3', 'Dissolved GmbH', { registry: 'VIES', identifiers: [GONE_VAT] }),
      entry('5', 'Lapsed GmbH', { identifiers: [LAPSED], isActive: false }),
      entry('6', 'Lapsed GmbH', { registry: 'GLEIF', identifiers: [LAPSED] }),
      entry('11', 'Closed GmbH', { registry: 'OLD', identifiers: [CLOSED] }),
      entry('12', 'Revived GmbH', { registry: 'OLD', identifiers: [REVIVED], isActive: false }),
      entry('4', 'Endlich GmbH', { identifiers: [ENDING], isInLiquidation: true }),
    ],
    NOW,
  );
  const later = [
    entry('7', 'Morgenrot', { registry: 'VIES', identifiers: [VAT] }),
    entry('13', 'Closed GmbH', { identifiers: [CLOSED], isActive: false }),
    entry('14', 'Revived GmbH', { identifiers: [REVIVED] }),
  ];
  await writeCompanies(db, later, NOW + 5);
});
afterAll(() => world.close());

const nobody: CompanyRegistries = { lookUp: async () => false };

const check = (
  legalName: string,
  identifiers: BusinessIdentifier[],
  { legalForm = 'COOPERATIVE' as LegalForm, country = 'DE', registries = nobody } = {},
) => verifyCompany({ db: world.installation.db, registries }, { legalName, country, legalForm, identifiers });

const NOTHING = {
  source: null,
  legalFormSource: null,
  verified: 0,
  incorporatedAt: null,
  seat: null,
  website: null,
  companyId: null,
  registries: [],
  refreshedAt: null,
};

describe('a claimed company', () => {
  it('is confirmed by a registry that has it under its number and name', async () => {
    expect(await check('Café Morgenrot eG', [HRB])).toEqual({
      status: 'ACTIVE',
      nameMatches: true,
      source: 'REGISTRY',
      legalFormSource: 'REGISTRY',
      verified: 1,
      incorporatedAt: -86_400,
      seat: expect.objectContaining({ postcode: '89073' }),
      website: 'https://morgenrot.example',
      companyId: expect.any(Number),
      companyKey: 'DE:$REGISTER_ID:HRB4711',
      entityNumbers: [expect.stringMatching(/^entry \d+$/), 'DE:$REGISTER_ID:HRB4711 DE:=cafemorgenrot'],
      registries: ['TEST'],
      refreshedAt: NOW,
      unanswered: 0,
    });
  });

  it('is confirmed by a tax office, which knows neither its age nor its form', async () => {
    expect(await check('Morgenrot', [VAT])).toMatchObject({
      source: 'TAX_AUTHORITY',
      legalFormSource: null,
      incorporatedAt: null,
      registries: ['VIES'],
    });
  });

  it('has its numbers counted one by one', async () => {
    expect(await check('Café Morgenrot eG', [HRB, VAT, GONE])).toMatchObject({
      source: 'REGISTRY',
      verified: 2,
      registries: ['TEST', 'VIES'],
      refreshedAt: NOW + 5,
    });
  });

  it('has another form than the registry says', async () => {
    expect(await check('Café Morgenrot eG', [HRB], { legalForm: 'GOVERNMENT' })).toMatchObject({
      source: 'REGISTRY',
      legalFormSource: null,
    });
  });

  it.each([
    'CAFE MORGENROT',
    'Cafe Morgenrot e.G.',
    'Morgenrot',
    'Café Morgenrot Filiale eG',
    'Morgenrot, Ulm',
  ])('may call itself %s', async (name) => {
    expect(await check(name, [HRB])).toMatchObject({ verified: 1, nameMatches: true });
  });

  it.each(['Abendrot eG', 'Café Abendrot', 'GmbH', 'Ulm Nord', '!', 'Café Mоrgenrot eG'])(
    'may not call itself %s',
    async (name) => {
      expect(await check(name, [HRB])).toMatchObject({ ...NOTHING, status: 'ACTIVE', nameMatches: false });
    },
  );

  it('is of its own country', async () => {
    expect(await check('Café Morgenrot eG', [HRB], { country: 'AT' })).toMatchObject({
      ...NOTHING,
      nameMatches: false,
    });
  });

  it('is dissolved if its registry says so, also where a tax office still has it', async () => {
    const dissolved = { ...NOTHING, status: 'DISSOLVED', nameMatches: true };
    expect(await check('Dissolved GmbH', [GONE])).toMatchObject(dissolved);
    expect(await check('Dissolved GmbH', [GONE_VAT])).toMatchObject(dissolved);
  });

  it('is dissolved if the national registry says so, also where its LEI is still active', async () => {
    expect(await check('Lapsed GmbH', [LAPSED])).toMatchObject({ ...NOTHING, status: 'DISSOLVED' });
  });

  it('exists or not as the registry says that was read last', async () => {
    expect(await check('Closed GmbH', [CLOSED])).toMatchObject({ ...NOTHING, status: 'DISSOLVED' });
    expect(await check('Revived GmbH', [REVIVED])).toMatchObject({ status: 'ACTIVE', source: 'REGISTRY' });
  });

  it('is wound up if its registry says so', async () => {
    expect(await check('Endlich GmbH', [ENDING])).toMatchObject({
      status: 'IN_LIQUIDATION',
      source: 'REGISTRY',
    });
  });

  it.each([
    [
      'unknown numbers',
      [
        { ...HRB, value: 'HRB 4712' },
        { ...HRB, country: 'AT' },
      ],
      'NOT_FOUND',
    ],
    ['no number', [], 'NOT_ASKED'],
    ['the number of an agency', [AGENCY], 'NOT_ASKED'],
  ] as const)('is not found by %s', async (_what, identifiers, status) => {
    expect(await check('Café Morgenrot eG', [...identifiers])).toMatchObject({
      ...NOTHING,
      status,
      nameMatches: null,
    });
  });

  it('is looked up by ten numbers at most', async () => {
    expect(
      await check(
        'Café Morgenrot eG',
        Array.from({ length: 100 }, () => HRB),
      ),
    ).toMatchObject({
      verified: 10,
    });
  });

  it('has the same key by each of its numbers', async () => {
    const both = [vatNumber(1), registerNumber(1)];
    await writeCompanies(world.installation.db, [entry('8', 'Doppelt GmbH', { identifiers: both })], NOW);
    const keys = await Promise.all(
      both.map(async (each) => (await check('Doppelt GmbH', [each])).companyKey),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBeNull();
  });
});

const vatNumber = (nth: number) => ({ type: 'VAT_ID', value: `DE10000000${nth}`, country: 'DE' }) as const;
const registerNumber = (nth: number) =>
  ({ type: 'REGISTER_ID', value: `HRB 77${nth}`, country: 'DE' }) as const;

describe('a live registry', () => {
  it('is queried for a number that is not stored, and its answer counts', async () => {
    const registries: CompanyRegistries = {
      async lookUp() {
        await writeCompanies(
          world.installation.db,
          [entry('9', 'Neuland GmbH', { registry: 'COMPANIES_HOUSE', identifiers: [registerNumber(5)] })],
          NOW,
        );
        return true;
      },
    };
    expect(
      await check('Neuland GmbH', [registerNumber(5)], { registries, legalForm: 'LIMITED_COMPANY' }),
    ).toMatchObject({ status: 'ACTIVE', source: 'REGISTRY', legalFormSource: 'REGISTRY' });
  });

  it('that answers another company confirms nothing', async () => {
    const registries: CompanyRegistries = {
      async lookUp() {
        const other = entry('10', 'Andere AG', { identifiers: [registerNumber(6)] });
        await writeCompanies(world.installation.db, [other], NOW);
        return true;
      },
    };
    expect(await check('Neuland GmbH', [registerNumber(6)], { registries })).toMatchObject({
      ...NOTHING,
      nameMatches: false,
    });
  });

  it('that does not answer says nothing, and is no refusal', async () => {
    const registries: CompanyRegistries = {
      async lookUp() {
        throw refusal('REGISTRY_UNAVAILABLE', 'No registry answers', { registries: [] });
      },
    };
    expect(await check('Neuland GmbH', [registerNumber(7)], { registries })).toMatchObject({
      ...NOTHING,
      status: 'NOT_ASKED',
      unanswered: 1,
    });
    expect(await check('Café Morgenrot eG', [HRB, registerNumber(7)], { registries })).toMatchObject({
      status: 'ACTIVE',
      source: 'REGISTRY',
      unanswered: 1,
    });
  });
});
