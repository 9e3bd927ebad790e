/**
 * The tables and indexes that the plans of a search use, with enough rows to matter: 20,000 companies. With fewer, reading the whole
 * table is the better plan.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rebuildVocabulary, writeCompanies } from '#modules/registry';
import { indexesOf, plansOf, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { inventCompanies } from '../../scripts/invent-companies.ts';
import { searchByName } from '../../src/modules/registry/search-by-name.ts';
import { identifierKey } from '../../src/modules/registry/search-keys.rules.ts';

const COMPANIES = 20_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const companies = [...inventCompanies(1, COMPANIES)];
  for (let at = 0; at < companies.length; at += 5_000) {
    await writeCompanies(world.installation.db, companies.slice(at, at + 5_000), 1_700_000_000);
  }
  await rebuildVocabulary(world.installation.db);
  await world.sql('vacuum analyze registry_companies, registry_words');
});
afterAll(() => world.close());

describe('no table is read whole', () => {
  it('for a name with a typing error', async () => {
    const search = { country: 'GB', name: 'Ashfrod Propertis Ltd', limit: 10 };
    const plans = await plansOf(world, (db) => searchByName(db, search));
    expect((await searchByName(world.installation.db, search)).total).toBeGreaterThan(0);
    expect(tablesReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toEqual([
      'registry_companies_by_search_key',
      'registry_companies_pkey',
      'registry_words_by_variant',
      'registry_words_pkey',
    ]);
  });

  it('for the commonest word of a country, with a place', async () => {
    const search = { country: 'GB', name: 'Properties', city: 'London', postcode: '12345', limit: 100 };
    const plans = await plansOf(world, (db) => searchByName(db, search));
    expect(plans.length).toBe(4);
    expect(tablesReadWhole(plans)).toEqual([]);
  });

  it('for words that no company has together', async () => {
    const search = { country: 'DE', name: 'Berberger Steinmann Roth Bäckerei Krü', limit: 10 };
    const plans = await plansOf(world, (db) => searchByName(db, search));
    expect(plans.length).toBeGreaterThan(2);
    expect(tablesReadWhole(plans)).toEqual([]);
  });

  it('for a word with more than one error', async () => {
    const plans = await plansOf(world, (db) =>
      searchByName(db, { country: 'GB', name: 'Prpoertyes', limit: 10 }),
    );
    expect(tablesReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain('registry_words_by_trigram');
  });

  it('for an identifier', async () => {
    const { findCompaniesByIdentifier } = await import('../../src/modules/registry/company.queries.ts');
    const key = identifierKey({ country: 'GB', type: 'REGISTER_ID' }, '4');
    expect(await findCompaniesByIdentifier(world.installation.db, key, 200)).toHaveLength(1);
    const plans = await plansOf(world, (db) => findCompaniesByIdentifier(db, key, 200));
    expect(tablesReadWhole(plans)).toEqual([]);
    expect(indexesOf(plans)).toEqual(['registry_companies_by_search_key']);
  });
});
