import { beforeAll, describe, expect, it } from 'vitest';
import type { RegistryEntry } from '#modules/registry';
import { fixture, type ReadFile, readRegistryFile } from '#test/registry-files';
import { readLeiRecord } from '../sources/gleif-record.ts';

let read: ReadFile;
beforeAll(async () => {
  read = await readRegistryFile(fixture('gleif.csv'));
});
const entryOf = (key: string) => read.entries.find(({ registryKey }) => registryKey === key);

describe('a golden copy of GLEIF', () => {
  it('is detected by its header, whatever the order of its columns', () => {
    expect(read.format.name).toBe('gleif');
    expect(read.format.unknownColumns).toEqual([]);
  });

  it('gives a company as the API would', () => {
    const entry = read.entries[0];
    expect(entry).toEqual({
      registry: 'GLEIF',
      registryKey: '529900INVENTED000001',
      legalName: 'Erfundene Öfen GmbH',
      tradingName: null,
      otherNames: ['Erfundene Oefen GmbH'],
      legalForm: null,
      elfCode: '2HBR',
      address: {
        street: 'Löschgasse',
        house: '7 a',
        postcode: '02826',
        city: 'Görlitz',
        country: 'DE',
        additional: null,
      },
      identifiers: [{ type: 'REGISTER_ID', value: 'HRB 12345', country: 'DE' }],
      incorporatedAt: Date.UTC(1999, 3, 1) / 1_000,
      website: null,
      isActive: true,
    } satisfies RegistryEntry);
    expect(entry).toEqual(
      readLeiRecord({
        id: '529900INVENTED000001',
        attributes: {
          entity: {
            legalName: { name: 'Erfundene Öfen GmbH', language: 'de' },
            otherNames: [],
            transliteratedOtherNames: [{ name: 'Erfundene Oefen GmbH' }],
            legalAddress: {
              addressLines: ['Löschgasse 7 a'],
              city: 'Görlitz',
              country: 'DE',
              postalCode: '02826',
            },
            registeredAs: 'HRB 12345',
            jurisdiction: 'DE',
            legalForm: { id: '2HBR', other: null },
            status: 'ACTIVE',
            creationDate: '1999-04-01T00:00:00Z',
          },
          registration: { status: 'ISSUED' },
        },
      }),
    );
  });

  it('may have line breaks and quotes in its fields, names of all kinds, and days before 1970', () => {
    expect(entryOf('5299INVENTED0000LF02')).toMatchObject({
      legalName: 'The "Imaginary, Inc." Company, of Delaware',
      tradingName: 'Imaginary',
      otherNames: ['Phantasy Co.'],
      legalForm: 'Statutory trust',
      elfCode: null,
      address: { city: 'Wilmington', postcode: '19801', country: 'US' },
      identifiers: [{ type: 'REGISTER_ID', value: '7654321', country: 'US' }],
      incorporatedAt: Date.UTC(1868, 4, 2) / 1_000,
    });
  });

  it('has companies that no longer exist, and some that only owe a fee', () => {
    expect(entryOf('529900LAPSED00000003')?.isActive).toBe(true);
    expect(entryOf('529900RETIRED0000004')?.isActive).toBe(false);
    expect(entryOf('529900DUPLICATE00005')?.isActive).toBe(false);
  });

  it('has records that cannot be used, each for a reason', () => {
    expect(read.refused).toEqual([
      {
        record: 6,
        line: 9,
        reason: 'LEI must be 18 letters or digits, followed by two digits.',
        excerpt: '529900SHORT',
      },
      {
        record: 7,
        line: 10,
        reason: 'Entity.LegalAddress.Country is not an ISO 3166-1 country code.',
        excerpt: 'XX',
      },
      {
        record: 8,
        line: 11,
        reason: 'Entity.LegalName must have a letter or digit, and at most 500 characters.',
        excerpt: expect.stringContaining('---'),
      },
    ]);
  });
});
