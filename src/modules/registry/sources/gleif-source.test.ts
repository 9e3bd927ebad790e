import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEI, leiRecord } from '#test/registry-lei-records';
import { type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createGleifSource } from './gleif-source.ts';
import type { SourceCall } from './registry-source.ts';

let servers: RegistryServers;
let gleif: ReturnType<typeof createGleifSource>;

beforeAll(async () => {
  servers = await startRegistryServers();
  gleif = createGleifSource({ baseUrl: servers.url('gleif') });
});
beforeEach(() => {
  servers.requests.length = 0;
  servers.behave('gleif', null);
});
afterAll(async () => {
  await gleif.close();
  await servers.close();
});

const byLei = (value: string, country: string) => gleif.findByIdentifier({ type: 'LEI', value, country });
const byNumber = (value: string, country: string) =>
  gleif.findByIdentifier({ type: 'REGISTER_ID', value, country });
const byName = (name: string, country: string, limit = 10) => gleif.findByName({ name, country, limit });

describe('GLEIF by LEI', () => {
  it('answers the whole company', async () => {
    expect(await byLei(LEI.german, 'DE')).toEqual([
      {
        registry: 'GLEIF',
        registryKey: LEI.german,
        legalName: 'Nordlicht Werkzeugbau GmbH',
        tradingName: 'Nordlicht Tools',
        otherNames: [],
        legalForm: null,
        elfCode: '2HBR',
        address: {
          street: 'Straße des 17. Juni',
          house: '135',
          postcode: '10623',
          city: 'Berlin',
          country: 'DE',
          additional: null,
        },
        identifiers: [{ type: 'REGISTER_ID', value: 'HRB 12345', country: 'DE' }],
        incorporatedAt: Date.UTC(1998, 2, 2) / 1_000,
        website: null,
        isActive: true,
      },
    ]);
    expect(servers.requests[0]).toMatchObject({ method: 'GET', path: `/lei-records/${LEI.german}` });
    expect(servers.requests[0]?.headers.accept).toBe('application/vnd.api+json');
  });

  it('reads an LEI in any spelling', async () => {
    expect(await byLei(' 5299 0000 00inv-ented01 ', 'DE')).toHaveLength(1);
  });

  it('answers nothing for an unknown one, and for another country', async () => {
    expect(await byLei('5299000000INVENTED00', 'DE')).toEqual([]);
    expect(servers.requests).toHaveLength(1);
    expect(await byLei(LEI.german, 'AT')).toEqual([]);
  });

  it.each(['', '5299', '5299000000INVENTEDXX', '../companies', '5299000000INVENTED011'])(
    'does not query %j',
    async (value) => {
      expect(await byLei(value, 'DE')).toEqual([]);
      expect(servers.requests).toEqual([]);
    },
  );

  it.each([
    ['a dissolved company', LEI.dissolved, 'GB', false],
    ['a record that was issued twice', LEI.duplicate, 'DE', false],
    ['a company that let its LEI lapse', LEI.lapsed, 'AT', true],
  ])('returns whether %s exists', async (_what, lei, country, isActive) => {
    expect(await byLei(lei, country)).toMatchObject([{ isActive }]);
  });

  it('keeps previous names and other scripts, each once', async () => {
    expect(await byLei(LEI.french, 'FR')).toMatchObject([
      {
        legalName: 'ATELIERS FICTIFS DE LYON',
        tradingName: 'Lyon Fictif',
        otherNames: ['SOIERIES FICTIVES'],
      },
    ]);
    expect(await byLei(LEI.japanese, 'JP')).toMatchObject([
      {
        legalName: '株式会社山田架空製作所',
        tradingName: null,
        otherNames: [
          'Yamada Kakuu Manufacturing',
          'Yamada Kakuu Seisakusho K.K.',
          'zhu shi hui she shan tian jia kong zhi zuo suo',
        ],
      },
    ]);
    expect(await byLei(LEI.greek, 'GR')).toMatchObject([{ otherNames: ['ALFA EPINOIMENI AE'] }]);
  });

  it('returns a legal form in words if the list has no code for it', async () => {
    expect(await byLei(LEI.greek, 'GR')).toMatchObject([{ legalForm: 'Ανώνυμη Εταιρεία', elfCode: null }]);
    expect(await byLei(LEI.norwegian, 'NO')).toMatchObject([{ legalForm: null, elfCode: null }]);
  });

  it('takes the day of creation as written, also before 1970', async () => {
    expect(await byLei(LEI.french, 'FR')).toMatchObject([{ incorporatedAt: Date.UTC(1895, 3, 1) / 1_000 }]);
    expect(await byLei(LEI.swedish, 'SE')).toMatchObject([{ incorporatedAt: Date.UTC(1997, 5, 5) / 1_000 }]);
    expect(await byLei(LEI.norwegian, 'NO')).toMatchObject([{ incorporatedAt: null }]);
  });

  it.each([
    [LEI.swedish, 'SE', { street: 'Fortgatan', house: '11', additional: 'C/O Invented Lindberg' }],
    [LEI.norwegian, 'NO', { street: 'Havnegata', house: '9', additional: 'Bygg B', city: 'Bergen' }],
    [LEI.swiss, 'CH', { street: 'Bahnhofstrasse', house: '7a', additional: null }],
    [LEI.french, 'FR', { street: 'RUE DE LA SOIE', house: '16 BIS', additional: 'BP 77', postcode: '69003' }],
    [LEI.lapsed, 'AT', { street: null, house: null, additional: 'Postfach 12 34', city: 'Wien' }],
    [LEI.greek, 'GR', { street: null, house: null, postcode: null, city: null, country: 'GR' }],
    [LEI.japanese, 'JP', { street: '丸の内1丁目1番1号', house: null, city: '千代田区' }],
    [LEI.delaware, 'US', { street: 'Orange Street', house: '1209', city: 'Wilmington' }],
  ])('has the address of %s (%s)', async (lei, country, address) => {
    expect((await byLei(lei, country))[0]?.address).toMatchObject(address);
  });

  it('counts a register number to the country that gave it', async () => {
    const [freight] = await byLei(LEI.delaware, 'US');
    expect(freight?.identifiers).toEqual([{ type: 'REGISTER_ID', value: '2059764', country: 'US' }]);
  });
});

describe('GLEIF by register number', () => {
  it.each([
    ['HRB12345', 'DE', LEI.german],
    ['hrb 12345', 'DE', LEI.german],
    ['5560169999', 'SE', LEI.swedish],
    ['SE 556016-9999', 'SE', LEI.swedish],
    ['923609999', 'NO', LEI.norwegian],
    ['CHE-123.456.789', 'CH', LEI.swiss],
    ['123456789', 'CH', LEI.swiss],
    ['999888777', 'FR', null],
    ['999 888 777', 'FR', LEI.french],
    ['MI - 1234567', 'IT', LEI.italian],
    ['01234567', 'GB', LEI.dissolved],
    ['2059764', 'US', LEI.delaware],
    ['HRB 12345', 'AT', null],
    ['HRB 1234', 'DE', null],
  ])('finds %s of %s: %s', async (value, country, lei) => {
    const found = await byNumber(value, country);
    expect(found.map(({ registryKey }) => registryKey)).toEqual(lei === null ? [] : [lei]);
  });

  it('queries the spelling of the country first, then the value as written', async () => {
    await byNumber('5560169990', 'SE');
    expect(servers.requests.map(({ search }) => search.get('filter[entity.registeredAs]'))).toEqual([
      '556016-9990',
      '5560169990',
    ]);
    expect(servers.requests[0]?.search.get('filter[entity.legalAddress.country]')).toBe('SE');
  });

  it('leaves out a company that only shares words of the number', async () => {
    expect(await byNumber('556016', 'SE')).toEqual([]);
  });

  it('does not read a comma as "or"', async () => {
    expect(await byNumber('0,556016-9999', 'SE')).toEqual([]);
  });

  it.each(['', ' - ', '*'])('does not query %j', async (value) => {
    expect(await byNumber(value, 'DE')).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it('does not support VAT numbers', async () => {
    const kinds = ['NAME', 'REGISTER_ID', 'LEI', 'VAT_ID'] as const;
    expect(kinds.map((by) => gleif.covers('JP', by))).toEqual([true, true, true, false]);
    expect(await gleif.findByIdentifier({ type: 'VAT_ID', value: 'DE123456789', country: 'DE' })).toEqual([]);
    expect(servers.requests).toEqual([]);
  });
});

describe('GLEIF by name', () => {
  it.each([
    ['nordlicht werkzeugbau', 'DE', LEI.german],
    ['Werkzeugbau, Nordlicht', 'DE', LEI.german],
    ['nordlicht tools', 'DE', LEI.german],
    ['vastkustens akeri', 'SE', LEI.swedish],
    ['Soieries Fictives', 'FR', LEI.french],
    ['Yamada Kakuu Seisakusho', 'JP', LEI.japanese],
    ['株式会社山田架空製作所', 'JP', LEI.japanese],
    ['Nordlicht Werkzeugbu GmbH', 'DE', LEI.german],
    ['Brightwater Mils Ltd', 'GB', LEI.dissolved],
  ])('finds %s in %s', async (name, country, lei) => {
    expect((await byName(name, country)).map(({ registryKey }) => registryKey)).toEqual([lei]);
  });

  it('returns nothing for a name of another country or an unknown one', async () => {
    expect(await byName('Nordlicht Werkzeugbau', 'AT')).toEqual([]);
    expect(await byName('Nordlicht Werkzeugbu', 'AT')).toEqual([]);
    expect(await byName('Qqqq Zzzz', 'DE')).toEqual([]);
  });

  it('does not read a comma as "or", or an asterisk as anything', async () => {
    expect(await byName('Doppelt, Nordlicht', 'DE')).toEqual([]);
    expect(servers.requests[0]?.search.get('filter[entity.names]')).toBe('Doppelt Nordlicht');
    await byName('Nord*', 'DE');
    expect(servers.requests[2]?.search.get('filter[entity.names]')).toBe('Nord');
  });

  it('queries as many as requested, and once if names match', async () => {
    expect(await byName('GmbH', 'DE', 1)).toHaveLength(1);
    expect(servers.requests.map(({ search }) => search.get('page[size]'))).toEqual(['1']);
    expect(await byName('GmbH', 'DE', 100)).toHaveLength(2);
  });

  it.each(['', '  ', '*', ',,,', '---'])('does not query %j', async (name) => {
    expect(await byName(name, 'DE')).toEqual([]);
    expect(servers.requests).toEqual([]);
  });

  it('calls its guard before each request', async () => {
    let seen = 0;
    const call: SourceCall = {
      signal: AbortSignal.timeout(5_000),
      beforeRequest: () => expect(servers.requests).toHaveLength(seen++),
    };
    await gleif.findByName({ name: 'Nordlicht Werkzeugbu', country: 'DE', limit: 5 }, call);
    expect(servers.requests).toHaveLength(3);
    expect(seen).toBe(3);
  });

  it('guesses in the order of likeness', async () => {
    const near = ['Nordlicht Werkbau', 'Nordlicht Werkzeug'].map((text, index) =>
      leiRecord(`529900000000NEARBY0${index}`, {
        legalName: { name: text, language: 'de' },
        legalAddress: { country: 'DE' },
      }),
    );
    servers.behave('gleif', (request, response) => {
      const search = new URL(request.url ?? '', 'http://localhost').searchParams;
      const completions = near.map(({ id }) => ({ relationships: { 'lei-records': { data: { id } } } }));
      const data = search.has('field') ? completions.reverse() : search.has('filter[lei]') ? near : [];
      response.end(JSON.stringify({ data }));
    });
    const found = await byName('Nordlicht Werkzeg', 'DE');
    expect(found.map(({ legalName }) => legalName)).toEqual(['Nordlicht Werkzeug', 'Nordlicht Werkbau']);
  });
});
