/** Indexes of the registry collect new entries in lists that each search reads. After an import these lists are empty. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rebuildVocabulary, writeCompanies } from '#modules/registry';
import { createWorld, type World } from '#test/world';
import { inventCompanies } from '../../scripts/invent-companies.ts';

const COMPANIES = 2_000;
const INDEXES = [
  'registry_companies_by_search_key',
  'registry_words_by_variant',
  'registry_words_by_trigram',
] as const;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  // A vacuum would also merge them.
  for (const table of ['registry_companies', 'registry_words'])
    await world.sql(`alter table ${table} set (autovacuum_enabled = off)`);
});
afterAll(() => world.close());

const write = (seed: number, count: number) =>
  writeCompanies(world.installation.db, [...inventCompanies(seed, count)], 1_700_000_000);
/** Returns the pages of the list, and empties it. */
const pendingPages = async (index: string) =>
  (await world.sql<{ pages: number }>(`select gin_clean_pending_list('${index}')::int as pages`))[0]?.pages;

it('companies are written into a list, and the end of an import leaves none', async () => {
  await write(1, COMPANIES);
  expect(await pendingPages(INDEXES[0])).toBeGreaterThan(0);
  await write(2, COMPANIES);
  await rebuildVocabulary(world.installation.db);
  for (const index of INDEXES) expect([index, await pendingPages(index)]).toEqual([index, 0]);
});

it('companies that can be found at once leave short lists', async () => {
  for (let seed = 3; seed < 23; seed++) await write(seed, 100);
  for (const index of INDEXES) expect(await pendingPages(index)).toBeLessThanOrEqual(8);
});
