import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answers, json, type RegistryServers, reset, startRegistryServers } from '#test/registry-servers';
import { createCompaniesHouseSource } from './companies-house-source.ts';

let servers: RegistryServers;
let house: ReturnType<typeof createCompaniesHouseSource>;

beforeAll(async () => {
  servers = await startRegistryServers();
  house = createCompaniesHouseSource({
    baseUrl: `${servers.url('companies-house')}/`,
    apiKey: servers.apiKey,
  });
});
beforeEach(() => {
  servers.requests.length = 0;
  servers.behave('companies-house', null);
});
afterAll(async () => {
  await house.close();
  await servers.close();
});

const byNumber = (value: string, country = 'GB') =>
  house.findByIdentifier({ type: 'REGISTER_ID', value, country });
const byName = (name: string, limit = 10) => house.findByName({ name, country: 'GB', limit });

describe('Companies House by number', () => {
  it('answers the whole company', async () => {
    expect(await byNumber('00012345')).toEqual([
      {
        registry: 'COMPANIES_HOUSE',
        registryKey: '00012345',
        legalName: 'INVENTED WIDGETS LIMITED',
        tradingName: null,
        otherNames: ['IMAGINARY WIDGETS LIMITED'],
        legalForm: 'Private limited company',
        elfCode: null,
        address: {
          street: 'Great Portland Street',
          house: '85',
          postcode: 'W1W 7LT',
          city: 'London',
          country: 'GB',
          additional: 'First Floor',
        },
        identifiers: [{ type: 'REGISTER_ID', value: '00012345', country: 'GB' }],
        incorporatedAt: Date.UTC(1990, 1, 9) / 1_000,
        website: null,
        isActive: true,
      },
    ]);
    expect(servers.requests).toMatchObject([{ method: 'GET', path: '/company/00012345' }]);
  });

  it.each([
    ['12345', '00012345'],
    ['GB 0001 2345', '00012345'],
    ['sl123', 'SL000123'],
    ['SL-000.123', 'SL000123'],
    ['FC012345', 'FC012345'],
  ])('fills up %s to %s', async (value, number) => {
    expect(await byNumber(value)).toMatchObject([{ registryKey: number }]);
  });

  it.each([
    ['', 'GB'],
    ['123456789', 'GB'],
    ['ABC12345', 'GB'],
    ['../search', 'GB'],
    ['00012345', 'IE'],
  ])('does not query %j of %s', async (value, country) => {
    expect(await byNumber(value, country)).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it('queries a number with a letter at its end', async () => {
    expect(await byNumber('IP12345R')).toEqual([]);
    expect(servers.requests).toMatchObject([{ path: '/company/IP12345R' }]);
  });

  it('answers nothing for an unknown one', async () => {
    expect(await byNumber('99999999')).toEqual([]);
  });

  it('reads a dissolved company as inactive, and one in administration as active', async () => {
    expect(await byNumber('01234567')).toMatchObject([
      { isActive: false, legalForm: 'Private limited by guarantee without share capital' },
    ]);
    expect(await byNumber('SL000123')).toMatchObject([
      { isActive: true, isInLiquidation: true, legalForm: 'some-type-of-tomorrow', incorporatedAt: null },
    ]);
  });

  it('reads a company with an end date as inactive, also without a status', async () => {
    const ended = { company_name: 'A', company_number: '00012345', date_of_cessation: '2001-02-03' };
    servers.behave('companies-house', json(ended));
    expect(await byNumber('00012345')).toMatchObject([{ isActive: false }]);
  });

  it('puts the name of a building, a box and a person beside the street', async () => {
    expect((await byNumber('01234567'))[0]?.address).toEqual({
      street: 'Mill Lane',
      house: '1',
      postcode: null,
      city: 'Leeds',
      country: 'GB',
      additional: "St Helen's",
    });
    expect((await byNumber('SL000123'))[0]?.address).toMatchObject({
      street: null,
      additional: 'PO Box 12, c/o Invented Agents',
    });
  });

  it('leaves a foreign company in its country', async () => {
    expect((await byNumber('FC012345'))[0]?.address).toMatchObject({
      street: 'Rue Fictive',
      house: '3',
      city: 'Paris',
      country: 'FR',
    });
  });

  it('supports neither VAT numbers nor LEIs', async () => {
    const kinds = ['NAME', 'REGISTER_ID', 'VAT_ID', 'LEI'] as const;
    expect(kinds.map((by) => house.covers('GB', by))).toEqual([true, true, false, false]);
    expect(kinds.some((by) => house.covers('FR', by))).toBe(false);
    expect(await house.findByIdentifier({ type: 'VAT_ID', value: 'GB999999973', country: 'GB' })).toEqual([]);
    expect(await house.findByIdentifier({ type: 'LEI', value: '00012345', country: 'GB' })).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it.each([
    ['another company', { company_name: 'A', company_number: '00000001' }],
    ['no number', { company_name: 'A' }],
    ['no name', { company_number: '00012345' }],
    [
      'a country nobody knows',
      { company_name: 'A', company_number: '00012345', registered_office_address: { country: 'Atlantis' } },
    ],
    ['null', null],
  ])('is not misled by %s', async (_what, profile) => {
    servers.behave('companies-house', json(profile));
    await expect(byNumber('00012345')).rejects.toMatchObject({ kind: 'PROTOCOL', code: 'BAD_RECORD' });
  });
});

describe('Companies House by name', () => {
  it('answers what its search finds, in Britain', async () => {
    const found = await byName('invented');
    expect(found.map(({ registryKey }) => registryKey)).toEqual(['00012345', 'SL000123']);
    expect(found[0]).toMatchObject({
      legalName: 'INVENTED WIDGETS LIMITED',
      legalForm: 'Private limited company',
      address: { street: 'Great Portland Street', house: '85', city: 'London', country: 'GB' },
      incorporatedAt: Date.UTC(1990, 1, 9) / 1_000,
      isActive: true,
    });
    expect(servers.requests[0]?.search.get('q')).toBe('invented');
  });

  it('shows which of them are dissolved', async () => {
    expect(await byName('brightwater mills')).toMatchObject([{ registryKey: '01234567', isActive: false }]);
  });

  it('queries as many as requested, 100 at most', async () => {
    expect(await byName('invented', 1)).toHaveLength(1);
    await byName('invented', 5_000);
    expect(servers.requests.map(({ search }) => search.get('items_per_page'))).toEqual(['1', '100']);
  });

  it('returns nothing for an unknown name, and does not query empty names or other countries', async () => {
    expect(await byName('qqqq')).toEqual([]);
    servers.requests.length = 0;
    expect(await byName(' - ')).toEqual([]);
    expect(await house.findByName({ name: 'invented', country: 'IE', limit: 5 })).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it('skips a malformed item, and fails only if all are malformed', async () => {
    const good = { title: 'A LTD', company_number: '00000001', address: {} };
    servers.behave(
      'companies-house',
      json({ items: [null, { title: 7 }, good, { title: 'B', company_number: '../1' }] }),
    );
    expect(await byName('anything')).toMatchObject([{ registryKey: '00000001', legalForm: null }]);
    servers.behave('companies-house', json({ items: [null, { title: 7 }] }));
    await expect(byName('anything')).rejects.toMatchObject({ kind: 'PROTOCOL', code: 'BAD_RECORD' });
    servers.behave('companies-house', json({ kind: 'search#companies' }));
    await expect(byName('anything')).rejects.toMatchObject({ kind: 'PROTOCOL', code: 'BAD_DOCUMENT' });
  });
});

describe('the key of Companies House', () => {
  const everything = (value: unknown) => inspect(value, { depth: Infinity, showHidden: true });

  it('is sent as the user of basic authentication', async () => {
    await byNumber('00012345');
    const sent = Buffer.from(servers.requests[0]?.headers.authorization?.slice(6) ?? '', 'base64').toString();
    expect(sent).toBe(`${servers.apiKey}:`);
  });

  it('is refused if it is wrong, and appears in no failure and in no source', async () => {
    const apiKey = 'another-secret-key';
    const wrong = createCompaniesHouseSource({ baseUrl: servers.url('companies-house'), apiKey });
    const query = { type: 'REGISTER_ID', value: '00012345', country: 'GB' } as const;
    const failures = [await wrong.findByIdentifier(query).catch((error) => error)];
    for (const behaviour of [
      reset,
      answers(500),
      answers(200, 'no json'),
      answers(302, '', { location: '/' }),
    ]) {
      servers.behave('companies-house', behaviour);
      failures.push(await wrong.findByIdentifier(query).catch((error) => error));
    }
    await wrong.close();
    failures.push(await wrong.findByIdentifier(query).catch((error) => error));
    expect(failures[0]).toMatchObject({ kind: 'REFUSED', code: 'HTTP_401' });
    expect(failures.map(({ name }) => name)).toEqual(failures.map(() => 'RegistryUnavailable'));
    const text = everything([wrong, failures, failures.map(({ message, stack }) => [message, stack])]);
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain(Buffer.from(`${apiKey}:`).toString('base64'));
    expect(text).not.toContain('00012345');
  });
});
