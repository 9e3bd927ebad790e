import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { createWorld, type World } from '#test/world';
import { writeCompanies } from './company.queries.ts';
import type { RegistryEntry } from './registry-entry.ts';
import { verifyIdentifiers } from './verify-identifiers.ts';

const NOW = 1_763_640_000;
const HRB = { type: 'REGISTER_ID', value: 'HRB 4711', country: 'DE' } as const;
const VAT = { type: 'VAT_ID', value: 'DE136695976', country: 'DE' } as const;
const GONE = { type: 'REGISTER_ID', value: 'HRB 99', country: 'DE' } as const;

const entry = (registryKey: string, legalName: string, more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  registry: 'TEST',
  registryKey,
  legalName,
  tradingName: null,
  otherNames: [],
  legalForm: null,
  elfCode: null,
  address: { street: null, house: null, additional: null, postcode: '1', city: 'Ulm', country: 'DE' },
  identifiers: [],
  incorporatedAt: null,
  website: null,
  isActive: true,
  ...more,
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { db } = world.installation;
  await writeCompanies(
    db,
    [
      entry('1', 'Café Morgenrot eG', {
        identifiers: [HRB],
        incorporatedAt: -86_400,
        tradingName: 'Morgenrot Ulm',
      }),
      entry('2', 'Dissolved GmbH', { identifiers: [GONE], isActive: false }),
    ],
    NOW,
  );
  const vat = entry('7', 'Morgenrot', { registry: 'VAT', identifiers: [VAT], incorporatedAt: 86_400 });
  await writeCompanies(db, [vat], NOW + 5);
});
afterAll(() => world.close());

const check = (legalName: string, ...identifiers: BusinessIdentifier[]) =>
  verifyIdentifiers(world.installation.db, { legalName, identifiers });

const NOTHING = { verified: 0, incorporatedAt: null, registries: [], refreshedAt: null };

describe('identifiers', () => {
  it('are verified by an existing company that has them, which also gives its age', async () => {
    expect(await check('Café Morgenrot eG', HRB)).toEqual({
      verified: 1,
      incorporatedAt: -86_400,
      registries: ['TEST'],
      refreshedAt: NOW,
    });
  });

  it('are counted one by one, and the oldest registry’s day is taken', async () => {
    expect(await check('Café Morgenrot eG', HRB, VAT, GONE)).toEqual({
      verified: 2,
      incorporatedAt: -86_400,
      registries: ['TEST', 'VAT'],
      refreshedAt: NOW + 5,
    });
  });

  it.each([
    'CAFE MORGENROT',
    'Cafe Morgenrot e.G.',
    'Morgenrot',
    'Café Morgenrot Filiale eG',
    'Morgenrot, Ulm',
  ])('match a company that calls itself %s', async (name) => {
    expect(await check(name, HRB)).toMatchObject({ verified: 1 });
  });

  it.each(['Abendrot eG', 'Café Abendrot', 'GmbH', 'Ulm Nord', '!'])('do not match %s', async (name) => {
    expect(await check(name, HRB)).toEqual(NOTHING);
  });

  it('of a dissolved company, of another country or of no company verify nothing', async () => {
    expect(await check('Dissolved GmbH', GONE)).toEqual(NOTHING);
    expect(await check('Café Morgenrot eG', { ...HRB, country: 'AT' })).toEqual(NOTHING);
    expect(await check('Café Morgenrot eG', { ...HRB, value: 'HRB 4712' })).toEqual(NOTHING);
    expect(await check('Café Morgenrot eG')).toEqual(NOTHING);
  });

  it('are looked up as long as it takes ten', async () => {
    const many = Array.from({ length: 100 }, () => HRB);
    expect(await check('Café Morgenrot eG', ...many)).toMatchObject({ verified: 10 });
  });
});
