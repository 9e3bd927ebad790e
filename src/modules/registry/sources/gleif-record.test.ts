import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEI, leiRecord, leiRecords } from '#test/registry-lei-records';
import { json, type RegistryServers, startRegistryServers } from '#test/registry-servers';
import { createGleifSource } from './gleif-source.ts';

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
const byName = (name: string, country: string, limit = 10) => gleif.findByName({ name, country, limit });

describe('malformed records of GLEIF', () => {
  const good = leiRecords[0];
  const malformed = [
    null,
    'text',
    {},
    { id: LEI.german, attributes: null },
    leiRecord('short', { legalName: { name: 'A' }, legalAddress: { country: 'DE' } }),
    leiRecord(LEI.lapsed, { legalName: null, legalAddress: { country: 'DE' } }),
    leiRecord(LEI.lapsed, { legalName: { name: '---' }, legalAddress: { country: 'DE' } }),
    leiRecord(LEI.lapsed, { legalName: { name: 'A' }, legalAddress: { country: 'XX' } }),
    leiRecord(LEI.lapsed, { legalName: { name: 'A' }, legalAddress: null }),
    leiRecord(LEI.lapsed, { legalName: { name: 'A'.repeat(501) }, legalAddress: { country: 'DE' } }),
  ];

  it('are left out among good ones', async () => {
    servers.behave('gleif', json({ data: [...malformed, good] }));
    expect((await byName('anything', 'DE')).map(({ registryKey }) => registryKey)).toEqual([LEI.german]);
  });

  it.each(malformed.map((record, index) => [index, record]))(
    'are no answer on their own: number %i',
    async (_index, record) => {
      servers.behave('gleif', json({ data: [record] }));
      await expect(byName('anything', 'DE')).rejects.toMatchObject({ kind: 'PROTOCOL', code: 'BAD_RECORD' });
    },
  );

  it.each([[null], [[]], ['text'], [{}], [{ data: null }], [{ data: {} }]])(
    'are not expected in %j',
    async (document) => {
      servers.behave('gleif', json(document));
      await expect(byName('anything', 'DE')).rejects.toMatchObject({ kind: 'PROTOCOL' });
      await expect(byLei(LEI.german, 'DE')).rejects.toMatchObject({ kind: 'PROTOCOL' });
    },
  );

  it('include those of another company than requested', async () => {
    servers.behave('gleif', json({ data: good }));
    await expect(byLei(LEI.swedish, 'SE')).rejects.toMatchObject({ kind: 'PROTOCOL', code: 'BAD_RECORD' });
  });

  it('have every optional field wrong and the company is found still', async () => {
    const wrong = {
      legalName: { name: 'Wrong\u0000 Fields\r\n GmbH \uD800' },
      otherNames: 'none',
      transliteratedOtherNames: [null, 7, { name: {} }],
      legalForm: ['2HBR'],
      legalAddress: { country: 'DE', addressLines: 'Weg 1', city: 7, postalCode: [], mailRouting: {} },
      registeredAs: 12_345,
      jurisdiction: { country: 'DE' },
      creationDate: '2023-02-30',
      status: null,
    };
    servers.behave('gleif', json({ data: leiRecord(LEI.german, wrong) }));
    expect(await byLei(LEI.german, 'DE')).toMatchObject([
      {
        legalName: 'Wrong Fields GmbH',
        otherNames: [],
        legalForm: null,
        elfCode: null,
        address: { street: null, city: null, postcode: null, country: 'DE' },
        identifiers: [],
        incorporatedAt: null,
        isActive: false,
      },
    ]);
  });
});
