import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RegistryEntry, rebuildVocabulary, writeCompanies } from '#modules/registry';
import { handMadeRegistry } from '#test/hand-made-registry';
import { createWorld, type World } from '#test/world';

const NOW = 1_700_000_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => world.sql('truncate registry_companies, registry_words'));

const [cafe] = handMadeRegistry as [RegistryEntry];
const write = (entries: RegistryEntry[], now = NOW) => writeCompanies(world.installation.db, entries, now);
const rebuild = () => rebuildVocabulary(world.installation.db);
const renamed = (legalName: string, more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  ...cafe,
  legalName,
  tradingName: null,
  ...more,
});
const namesFound = async (name: string) => {
  const query = new URLSearchParams({ search_type: 'name_address', country: 'DE', name });
  const { body } = await world.get(`/v1/businesses/search?${query}`);
  return body.items.map(({ legal_name }: { legal_name: string }) => legal_name);
};
const numbersFound = (...values: string[]) =>
  Promise.all(
    values.map(async (value) => {
      const wanted = { search_type: 'identifier', country: 'DE', identifier_type: 'VAT_ID' };
      const query = new URLSearchParams({ ...wanted, identifier_value: value });
      return (await world.get(`/v1/businesses/search?${query}`)).body.items[0]?.legal_name;
    }),
  );
const vocabulary = async () => {
  const rows = await world.sql<{ country: string; word: string; companies: number }>(
    'select country, word, companies from registry_words order by country, word',
  );
  return rows.map(({ country, word, companies }) => `${country} ${word} ${companies}`);
};

describe('writeCompanies', () => {
  it('writes nothing for nothing', async () => {
    await write([]);
    expect(await world.sql('select 1 from registry_companies')).toEqual([]);
  });

  it('replaces a company and its identifiers, and keeps its row', async () => {
    await write([cafe]);
    expect(await numbersFound('DE1', '136695976')).toEqual([undefined, cafe.legalName]);
    const [before] = await world.sql('select company_id from registry_companies');
    await write(
      [renamed('Abendrot GmbH', { identifiers: [{ type: 'VAT_ID', value: 'DE1', country: 'DE' }] })],
      NOW + 9,
    );
    const [after, ...more] = await world.sql(
      'select company_id, legal_name, trading_name, refreshed_at from registry_companies',
    );
    expect(more).toEqual([]);
    expect(after).toEqual({
      ...before,
      legal_name: 'Abendrot GmbH',
      trading_name: null,
      refreshed_at: String(NOW + 9),
    });
    expect(await numbersFound('DE1', '136695976')).toEqual(['Abendrot GmbH', undefined]);
    expect(await namesFound('Morgenrot')).toEqual([]);
    expect(await namesFound('Abendrot')).toEqual(['Abendrot GmbH']);
  });

  it('takes the later one if a batch has a company twice', async () => {
    await write([renamed('Zuerst GmbH'), renamed('Zuletzt GmbH')]);
    expect(await world.sql('select legal_name from registry_companies')).toEqual([
      { legal_name: 'Zuletzt GmbH' },
    ]);
  });

  it('stores everything of an entry', async () => {
    const otherNames = ['One, "two" {three} \\ four', 'NULL', ''];
    const incorporatedAt = -2_208_988_800;
    await write([
      { ...cafe, otherNames, incorporatedAt, website: 'https://a.example', elfCode: 'AZFE', legalForm: 'eG' },
    ]);
    const [row] = await world.sql(
      `select other_names, incorporated_on::text, website, elf_code, legal_form, address, identifiers, is_active
       from registry_companies`,
    );
    expect(row).toEqual({
      other_names: otherNames,
      incorporated_on: '1900-01-01',
      website: 'https://a.example',
      elf_code: 'AZFE',
      legal_form: 'eG',
      address: cafe.address,
      identifiers: cafe.identifiers,
      is_active: true,
    });
  });

  it('may run twice at once over the same companies, in any order', async () => {
    const entries = [...handMadeRegistry];
    await Promise.all([write(entries), write(entries.toReversed()), write(entries)]);
    const [row] = await world.sql<{ count: string }>('select count(*) from registry_companies');
    expect(Number(row?.count)).toBe(entries.length);
  });

  it('leaves the words of a large batch to rebuildVocabulary', async () => {
    const many = Array.from({ length: 501 }, (_, index) =>
      renamed(`Firma ${index}`, { registryKey: String(index) }),
    );
    await write(many);
    expect(await namesFound('Frma 17')).toEqual([]);
    await rebuild();
    expect((await namesFound('Frma 17'))[0]).toBe('Firma 17');
  });
});

describe('rebuildVocabulary', () => {
  it('counts the companies that have a word, by country', async () => {
    const both = [renamed('Morgenrot Bau'), renamed('Bau Abendrot', { registryKey: '2' })];
    await write([...both, renamed('Bau', { registryKey: '3', address: { ...cafe.address, country: 'AT' } })]);
    await rebuild();
    expect(await vocabulary()).toEqual(['AT bau 1', 'DE abendrot 1', 'DE bau 2', 'DE morgenrot 1']);
  });

  it('removes unused words, first, last and in between, and updates the rest', async () => {
    const named = (registryKey: string, name: string) => renamed(name, { registryKey });
    await write([named('1', 'Aal Mitte'), named('2', 'Mond Zebra'), named('3', 'Mitte Nord')]);
    await rebuild();
    await write([named('1', 'Mitte'), named('2', 'Mitte'), named('3', 'Mitte Nord Berg')]);
    await rebuild();
    expect(await vocabulary()).toEqual(['DE berg 1', 'DE mitte 3', 'DE nord 1']);
    await world.sql('delete from registry_companies');
    await rebuild();
    expect(await vocabulary()).toEqual([]);
  });

  it('does the same in a vocabulary of many ranges', async () => {
    const named = (number: number, name: string) => renamed(name, { registryKey: String(number) });
    const numbers = Array.from({ length: 12_000 }, (_, index) => 100_002 + index);
    await write(numbers.map((number) => named(number, `W${number}`)));
    await rebuild();
    expect(await vocabulary()).toEqual(numbers.map((number) => `DE w${number} 1`));
    // Every third word is removed, and every third one has a second company.
    await write(numbers.flatMap((number) => (number % 3 === 0 ? named(number, `W${number + 1}`) : [])));
    await rebuild();
    const kept = numbers.filter((number) => number % 3 !== 0);
    expect(await vocabulary()).toEqual(kept.map((number) => `DE w${number} ${number % 3 === 1 ? 2 : 1}`));
    expect((await namesFound('Q100003'))[0]).toBe('W100003');
  });

  it('fails if a word cannot be written, and makes up for it the next time', async () => {
    await write([renamed('Morgenrot Bau')]);
    await world.sql('delete from registry_words');
    await world.sql("alter table registry_words add constraint no_bau check (word <> 'bau')");
    await expect(rebuild()).rejects.toThrow('no_bau');
    await world.sql('alter table registry_words drop constraint no_bau');
    await rebuild();
    expect(await vocabulary()).toEqual(['DE bau 1', 'DE morgenrot 1']);
  });

  it('leaves nothing behind, and gives the same result in steps as at once', async () => {
    await write([...handMadeRegistry]);
    const atOnce = await vocabulary();
    await world.sql('delete from registry_words');
    await rebuild();
    expect((await vocabulary()).map(withoutCount)).toEqual(atOnce.map(withoutCount));
    expect(await world.sql("select 1 from registry_companies where registry = ''")).toEqual([]);
    const [row] = await world.sql<{ bad: string }>(
      'select count(*) as bad from registry_words where cardinality(variants) < 1',
    );
    expect(row?.bad).toBe('0');
  });

  it('may run twice at once', async () => {
    await write([...handMadeRegistry]);
    const before = await vocabulary();
    await Promise.all([rebuild(), rebuild()]);
    expect((await vocabulary()).map(withoutCount)).toEqual(before.map(withoutCount));
  });
});

const withoutCount = (line: string) => line.replace(/ \d+$/, '');
