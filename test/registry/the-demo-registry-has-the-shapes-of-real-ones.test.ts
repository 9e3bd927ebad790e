import { readFileSync } from 'node:fs';
import { checkVAT, countries } from 'jsvat-next';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency } from '#kernel/currency';
import type { RegistryEntry } from '#modules/registry';
import { type ReadFile, readRegistryFile } from '#test/registry-files';
import { createWorld, type World } from '#test/world';
import { DEMO_REGISTRY, generateDemoRegistry } from '../../scripts/generate-demo-registry.ts';
import { loadDemoRegistry } from '../../src/cli/demo.ts';
import { buyers, merchants } from '../../src/cli/demo-cast.ts';
import { LOCAL_FORMS } from '../../src/modules/registry/legal-forms/local-forms.ts';

/** The currency of each country. Euro: the members of the euro area, and countries that have it by agreement. */
const COUNTRIES: Record<Currency, string> = {
  EUR: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK',
  GBP: 'GB',
  USD: 'US',
  CHF: 'CH LI',
  PLN: 'PL',
  CZK: 'CZ',
  RON: 'RO',
  BGN: 'BG',
  DKK: 'DK',
  HUF: 'HU',
  SEK: 'SE',
  NOK: 'NO',
  JPY: 'JP',
  AUD: 'AU',
  NZD: 'NZ',
  CAD: 'CA',
};

let read: ReadFile;
let companies: RegistryEntry[];
beforeAll(async () => {
  read = await readRegistryFile(DEMO_REGISTRY);
  companies = read.entries;
});
const inCountry = (country: string) => companies.filter(({ address }) => address.country === country);
const cast = new Set([...merchants, ...buyers].map(({ external_id }) => external_id));

describe('registry/demo-companies.csv', () => {
  it('is what its script prints', () => {
    expect(readFileSync(DEMO_REGISTRY, 'utf8') === generateDemoRegistry()).toBe(true);
  });

  it('is read whole: at least two thousand companies, each once', () => {
    expect(read.refused).toEqual([]);
    expect(read.format.unknownColumns).toEqual([]);
    expect(companies.length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(companies.map(({ registryKey }) => registryKey)).size).toBe(companies.length);
  });

  it.each(CURRENCIES)('has companies of every country behind %s', (currency) => {
    for (const country of COUNTRIES[currency].split(' '))
      expect(inCountry(country).length, country).toBeGreaterThan(40);
  });

  it('marks each company as invented', () => {
    expect(companies.filter(({ registry }) => registry !== 'DEMO')).toEqual([]);
    const websites = companies.map(({ website }) => website).filter((website) => website !== null);
    expect(websites.length).toBeGreaterThan(500);
    expect(websites.filter((website) => !new URL(website).hostname.endsWith('.example'))).toEqual([]);
  });

  it('has VAT ids of the right format that belong to no company', () => {
    const vatIds = companies
      .filter(({ registryKey }) => !cast.has(registryKey))
      .flatMap(({ identifiers }) => identifiers.filter(({ type }) => type === 'VAT_ID'));
    expect(vatIds.length).toBeGreaterThan(1_000);
    const passing = vatIds.filter(
      ({ value }) => checkVAT(value.replaceAll(/[ .-]/g, ''), [...countries]).isValid,
    );
    // The numbers of these have no published check digits, or none at all.
    expect([...new Set(passing.map(({ country }) => country))].sort()).toEqual([]);
  });

  it('has every legal form of its countries at some name', () => {
    const missing = [...LOCAL_FORMS].flatMap(([country, forms]) => {
      const names = inCountry(country).map(({ legalName }) => legalName);
      if (names.length === 0) return [];
      return forms
        .filter(({ legalForm }) => legalForm !== 'SOLE_TRADER')
        .filter(({ readings }) => !names.some((name) => readings.some((reading) => name.includes(reading))))
        .map(({ code }) => code);
    });
    expect(missing).toEqual([]);
  });
});

const SHAPES: [shape: string, test: (company: RegistryEntry) => boolean][] = [
  ['a name of more than 150 letters', ({ legalName }) => legalName.length > 150],
  ['a name of one letter', ({ legalName }) => /^„?[A-ZÜØ]“? /u.test(legalName)],
  ['a number for a name', ({ legalName }) => /^„?\d{4}“? /u.test(legalName)],
  ['quotes in the name', ({ legalName }) => legalName.includes('"')],
  ['an ampersand', ({ legalName }) => legalName.includes('&')],
  ['capitals only', ({ legalName }) => legalName.length > 9 && legalName === legalName.toUpperCase()],
  ['small letters only', ({ legalName }) => legalName.length > 9 && legalName === legalName.toLowerCase()],
  ['a trading name', ({ tradingName }) => tradingName !== null],
  ['many other names', ({ otherNames }) => otherNames.length >= 6],
  ['no postcode', ({ address }) => address.postcode === null && address.city !== null],
  ['no address but a country', ({ address }) => address.city === null],
  ['a box for a street', ({ address }) => address.street === null && /\d/.test(address.additional ?? '')],
  ['somebody to ask for', ({ address }) => /^c\/o /.test(address.additional ?? '')],
  ['no number at all', ({ identifiers }) => identifiers.length === 0],
  ['several numbers', ({ identifiers }) => identifiers.length >= 2],
  [
    'a day before 1900',
    ({ incorporatedAt }) => incorporatedAt !== null && incorporatedAt < Date.UTC(1900) / 1_000,
  ],
  ['no day', ({ incorporatedAt }) => incorporatedAt === null],
  ['an end', ({ isActive }) => !isActive],
  ['a code of its form and no words', ({ elfCode, legalForm }) => elfCode !== null && legalForm === null],
  ['no word of its form', ({ elfCode, legalForm }) => elfCode === null && legalForm === null],
];

describe('among the companies of the demo', () => {
  it.each(SHAPES)('many have %s', (_, test) => {
    expect(companies.filter(test).length).toBeGreaterThan(20);
  });

  it('some are written in other letters', () => {
    expect(
      inCountry('BG').filter(({ legalName }) => /\p{Script=Cyrillic}/u.test(legalName)).length,
    ).toBeGreaterThan(40);
    expect(
      inCountry('GR').filter(({ legalName }) => /\p{Script=Greek}/u.test(legalName)).length,
    ).toBeGreaterThan(40);
    expect(
      inCountry('CY').filter(({ legalName }) => /\p{Script=Greek}/u.test(legalName)).length,
    ).toBeGreaterThan(30);
    expect(
      inCountry('BG').filter(({ otherNames }) => /^[ -~]+$/.test(otherNames[0] ?? '')).length,
    ).toBeGreaterThan(40);
  });

  it('Japanese ones have their form in front and behind', () => {
    const names = inCountry('JP').map(({ legalName }) => legalName);
    expect(names.filter((name) => name.startsWith('株式会社')).length).toBeGreaterThan(4);
    expect(names.filter((name) => name.endsWith('株式会社')).length).toBeGreaterThan(4);
  });

  it('each country has twins in one city, one of them gone', () => {
    for (const country of new Set(companies.map(({ address }) => address.country))) {
      const twins = Map.groupBy(
        inCountry(country ?? ''),
        ({ legalName, address }) => `${legalName} ${address.city}`,
      );
      const [pair] = [...twins.values()].filter((each) => each.length > 2);
      expect(new Set(pair?.map(({ isActive }) => isActive)), country ?? '').toEqual(new Set([true, false]));
    }
  });
});

describe('a sandbox', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  it('loads it once, and finds the buyers and merchants of the story in it', async () => {
    await Promise.all([loadDemoRegistry(world.installation), loadDemoRegistry(world.installation)]);
    await loadDemoRegistry(world.installation);
    expect(
      await world.sql("select count(*)::int as count from registry_companies where registry = 'DEMO'"),
    ).toEqual([{ count: companies.length }]);
    expect(
      await world.sql('select file_name, finished_at is not null as done from registry_imports'),
    ).toEqual([{ file_name: 'demo-companies.csv', done: true }]);
    for (const { legal_name, external_id, business_address } of [...merchants, ...buyers]) {
      const query = new URLSearchParams({
        search_type: 'name_address',
        country: business_address.country,
        name: legal_name,
      });
      const { body } = await world.get(`/v1/businesses/search?${query}`);
      expect(body.items[0]).toMatchObject({ id: `DEMO-${external_id}`, legal_name });
    }
  });
});
