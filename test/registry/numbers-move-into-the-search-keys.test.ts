import { afterAll, beforeAll, expect, it } from 'vitest';
import { handMadeRegistry } from '#test/hand-made-registry';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';
import { identifierKeysOf } from '../../src/modules/registry/identifier.rules.ts';
import { searchKeysOf } from '../../src/modules/registry/search-keys.rules.ts';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0003', 2);
});
afterAll(() => older.drop());

/** The schema of release 0.0.1's first two migrations: numbers in their own table. */
async function writeAsBefore(): Promise<void> {
  for (const entry of handMadeRegistry) {
    const { keys, nameWords } = searchKeysOf({ ...entry, identifiers: [] });
    const { rows } = await older.client.query<{ company_id: string }>(
      `insert into register_companies (register, register_key, country, legal_name, other_names, address, identifiers,
         is_active, name_words, search_keys, refreshed_at)
       values ($1, $2, $3, $4, '{}', '{}', '[]', true, $5, $6, 0) returning company_id`,
      [entry.registry, entry.registryKey, entry.address.country, entry.legalName, nameWords, keys],
    );
    for (const identifier of entry.identifiers)
      for (const key of identifierKeysOf(identifier))
        await older.client.query(
          'insert into register_identifiers (country, value_key, type, company_id) values ($1, $2, $3, $4)',
          [identifier.country, key, identifier.type, rows[0]?.company_id],
        );
  }
}

it(
  'a registry of before finds each company by the keys that it would be written with today',
  async () => {
    await writeAsBefore();
    expect(await older.migrate()).toContain('0004_faster_register_imports');
    await older.client.query('set enable_seqscan = off');
    const { rows } = await older.client.query<{ registry_key: string; search_keys: string[] }>(
      'select registry_key, search_keys from registry_companies',
    );
    const sorted = (keys: readonly string[]) => keys.toSorted();
    expect(new Map(rows.map((row) => [row.registry_key, sorted(row.search_keys)]))).toEqual(
      new Map(handMadeRegistry.map((entry) => [entry.registryKey, sorted(searchKeysOf(entry).keys)])),
    );
    // PostgreSQL does not use an index over changed rows until every earlier transaction on the server has ended, including
    // those of other tests in other databases.
    const plan = async () =>
      JSON.stringify(
        await older.client.query(
          "explain select from registry_companies where search_keys && array['DE:$VAT_ID:136695976']",
        ),
      );
    await expect.poll(plan, { timeout: patience(30) }).toContain('registry_companies_by_search_key');
  },
  patience(60),
);
