import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RegistryEntry, writeCompanies } from '#modules/registry';
import { createWorld, type World } from '#test/world';

const address = (fields: Partial<RegistryEntry['address']>) => ({
  street: null,
  house: null,
  postcode: null,
  city: null,
  country: 'DE',
  additional: null,
  ...fields,
});

const entry = (
  registryKey: string,
  legalName: string,
  fields: Partial<RegistryEntry> = {},
): RegistryEntry => ({
  registry: 'TEST',
  registryKey,
  legalName,
  tradingName: null,
  otherNames: [],
  legalForm: null,
  elfCode: null,
  address: address({}),
  identifiers: [],
  incorporatedAt: null,
  website: null,
  isActive: true,
  ...fields,
});

const CAFE = entry('1', 'Café Morgenrot eG', {
  tradingName: 'Café Morgenrot',
  legalForm: 'eingetragene Genossenschaft',
  address: address({
    street: 'Kastanienallee',
    house: '85',
    postcode: '10435',
    city: 'Berlin',
    additional: 'Hof',
  }),
  identifiers: [
    { type: 'VAT_ID', value: 'DE 136 695 976', country: 'DE' },
    { type: 'REGISTER_ID', value: 'GnR 487 B Berlin (Charlottenburg)', country: 'DE' },
  ],
  incorporatedAt: 1_041_379_200,
  website: 'https://cafe-morgenrot.example',
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const others = Array.from({ length: 14 }, (_, index) =>
    entry(`many-${index}`, `Lindenhof Bau ${index} GmbH`),
  );
  const old = entry('old', 'Altwerk AG', { incorporatedAt: -631_152_000 });
  const shared = [false, true].map((isActive) =>
    entry(`shared-${isActive}`, 'Zwilling GmbH', {
      isActive,
      identifiers: [{ type: 'REGISTER_ID', value: 'HRB 5', country: 'DE' }],
    }),
  );
  await writeCompanies(world.installation.db, [CAFE, old, ...others, ...shared], 1_700_000_000);
});
afterAll(() => world.close());

const search = (query: Record<string, string>, more = {}) =>
  world.get(`/v1/businesses/search?${new URLSearchParams(query)}`, more);
const byName = (name: string, more = {}) =>
  search({ search_type: 'name_address', country: 'DE', name, ...more });
const byNumber = (type: string, value: string, more = {}) =>
  search({
    search_type: 'identifier',
    country: 'DE',
    identifier_type: type,
    identifier_value: value,
    ...more,
  });
const issuesOf = ({ body }: { body: { issues: { code: string; path: string }[] } }) =>
  body.issues.map(({ code, path }) => `${code} ${path}`).sort();

describe('GET /v1/businesses/search', () => {
  describe('200', () => {
    it('shows a company whole, found by name', async () => {
      const { status, body } = await byName('cafe morgenrot');
      expect(status).toBe(200);
      expect(body).toEqual({
        items: [
          {
            id: 'TEST-1',
            legal_name: 'Café Morgenrot eG',
            trading_name: 'Café Morgenrot',
            legal_form: 'eingetragene Genossenschaft',
            business_address: CAFE.address,
            business_identifiers: CAFE.identifiers,
            incorporated_at: 1_041_379_200,
            website: 'https://cafe-morgenrot.example',
          },
        ],
        limit: 10,
        total: 1,
      });
    });

    it('finds the same company by either identifier', async () => {
      const answers = [await byNumber('VAT_ID', '136695976'), await byNumber('REGISTER_ID', 'gnr 487')];
      for (const { body } of answers) {
        expect(body).toMatchObject({ items: [{ id: 'TEST-1' }], limit: 10, total: 1 });
      }
    });

    it('has every field, null if the registry has no value, and no time before 1970', async () => {
      const { body } = await byName('Altwerk');
      expect(body.items).toEqual([
        {
          id: 'TEST-old',
          legal_name: 'Altwerk AG',
          trading_name: null,
          legal_form: null,
          business_address: address({}),
          business_identifiers: [],
          incorporated_at: null,
          website: null,
        },
      ]);
      const [stored] = await world.sql<{ day: string }>(
        "select incorporated_on::text as day from registry_companies where registry_key = 'old'",
      );
      expect(stored?.day).toBe('1950-01-01');
    });

    it('is an empty list if nothing is found', async () => {
      expect((await byName('Nirgendwo')).body).toEqual({ items: [], limit: 10, total: 0 });
      expect((await byNumber('VAT_ID', 'DE999999999')).body).toEqual({ items: [], limit: 10, total: 0 });
    });

    it('returns ten at most, or the requested number, and counts all', async () => {
      const { body } = await byName('Lindenhof Bau');
      expect(body).toMatchObject({ limit: 10, total: 14 });
      expect(body.items).toHaveLength(10);
      expect((await byName('Lindenhof Bau', { limit: '3' })).body.items).toEqual(body.items.slice(0, 3));
      expect((await byName('Lindenhof Bau', { limit: '100' })).body.items).toHaveLength(14);
    });

    it('shows existing companies of a number before dissolved ones', async () => {
      const { body } = await byNumber('REGISTER_ID', 'HRB 5');
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual([
        'TEST-shared-true',
        'TEST-shared-false',
      ]);
    });

    it('takes an empty place for none, as a form sends it', async () => {
      const { body } = await byName('cafe morgenrot', { city: '', postcode: '', street: ' ' });
      expect(body.items).toHaveLength(1);
    });
  });

  describe('400', () => {
    it.each<[string, Record<string, string>, string[]]>([
      ['without anything', {}, ['REQUIRED query.country', 'REQUIRED query.search_type']],
      [
        'by identifier without one',
        { search_type: 'identifier' },
        ['REQUIRED query.country', 'REQUIRED query.identifier_type', 'REQUIRED query.identifier_value'],
      ],
      [
        'by identifier without its type',
        { search_type: 'identifier', country: 'DE', identifier_value: '1' },
        ['REQUIRED query.identifier_type'],
      ],
      [
        'by identifier without its value',
        { search_type: 'identifier', country: 'DE', identifier_type: 'VAT_ID' },
        ['REQUIRED query.identifier_value'],
      ],
      [
        'by name without one',
        { search_type: 'name_address', country: 'DE', city: 'Berlin' },
        ['REQUIRED query.name'],
      ],
      [
        'with what belongs to the other search',
        {
          search_type: 'name_address',
          country: 'DE',
          name: 'x',
          identifier_value: '1',
          identifier_type: 'VAT_ID',
        },
        ['UNRECOGNIZED_KEYS query.identifier_type', 'UNRECOGNIZED_KEYS query.identifier_value'],
      ],
      [
        'by identifier with a name and a place',
        {
          search_type: 'identifier',
          country: 'DE',
          identifier_type: 'VAT_ID',
          identifier_value: '1',
          name: 'x',
          city: 'y',
        },
        ['UNRECOGNIZED_KEYS query.city', 'UNRECOGNIZED_KEYS query.name'],
      ],
      [
        'with everything wrong at once',
        { search_type: 'identifier', country: 'XX', identifier_type: 'LEI', limit: '0', offset: '1' },
        [
          'INVALID_ENUM query.identifier_type',
          'INVALID_VALUE query.country',
          'REQUIRED query.identifier_value',
          'TOO_SMALL query.limit',
          'UNRECOGNIZED_KEYS query.offset',
        ],
      ],
      [
        'of another type',
        { search_type: 'fuzzy', country: 'de', name: 'x', limit: 'ten' },
        ['INVALID_ENUM query.search_type', 'INVALID_FORMAT query.country', 'INVALID_TYPE query.limit'],
      ],
      [
        'for 101',
        { search_type: 'name_address', country: 'DE', name: 'x', limit: '101' },
        ['TOO_BIG query.limit'],
      ],
      [
        'for a blank name',
        { search_type: 'name_address', country: 'DE', name: '  ' },
        ['TOO_SHORT query.name'],
      ],
    ])('%s', async (_, query, expected) => {
      const answer = await search(query);
      expect(answer.status).toBe(400);
      expect(issuesOf(answer)).toEqual(expected);
    });
  });

  it('answers 401 without a key, and 403 without the scope read', async () => {
    const query = { search_type: 'name_address', country: 'DE', name: 'Morgenrot' };
    expect((await search(query, { key: null })).status).toBe(401);
    const key = await world.addKey({ scopes: ['orders:write'] });
    expect((await search(query, { key })).body).toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
  });
});
