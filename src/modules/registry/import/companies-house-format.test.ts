import { beforeAll, describe, expect, it } from 'vitest';
import type { RegistryEntry } from '#modules/registry';
import { fixture, type ReadFile, readRegistryFile } from '#test/registry-files';

let read: ReadFile;
beforeAll(async () => {
  read = await readRegistryFile(fixture('companies-house.csv'));
});
const entryOf = (key: string) => read.entries.find(({ registryKey }) => registryKey === key);

describe('BasicCompanyData of Companies House', () => {
  it('is detected by its header, in which some names begin with a space', () => {
    expect(read.format.name).toBe('companies-house');
    expect(read.format.columnCount).toBe(55);
  });

  it('gives a company with its previous names and its British day', () => {
    expect(read.entries[0]).toEqual({
      registry: 'COMPANIES_HOUSE',
      registryKey: '00012345',
      legalName: 'INVENTED WIDGETS LIMITED',
      tradingName: null,
      otherNames: ['IMAGINARY WIDGETS LIMITED'],
      legalForm: 'Private Limited Company',
      elfCode: null,
      address: {
        street: 'GREAT INVENTED STREET',
        house: '85',
        postcode: 'SW1A 1AA',
        city: 'LONDON',
        country: 'GB',
        additional: 'FIRST FLOOR',
      },
      identifiers: [{ type: 'REGISTER_ID', value: '00012345', country: 'GB' }],
      incorporatedAt: Date.UTC(1890, 1, 9) / 1_000,
      website: null,
      isActive: true,
    } satisfies RegistryEntry);
  });

  it('may have quotes and commas in a name, boxes for streets, and days that never were', () => {
    expect(entryOf('SC012345')).toMatchObject({
      legalName: '"O\'BRIEN & SONS", FISHMONGERS LTD',
      address: {
        street: null,
        additional: 'PO Box 12, c/o INVENTED AGENTS',
        city: 'EDINBURGH',
        country: 'GB',
      },
      incorporatedAt: null,
    });
  });

  it('calls what is dissolved inactive, and nothing else', () => {
    expect(entryOf('01234567')).toMatchObject({
      isActive: false,
      incorporatedAt: Date.UTC(1975, 0, 31) / 1_000,
    });
    expect(entryOf('01234568')?.isActive).toBe(true);
    expect(entryOf('01234569')?.isActive).toBe(true);
  });

  it('names its categories as the API does if they are abbreviations', () => {
    expect(entryOf('01234568')?.legalForm).toBe('Public Limited Company');
    expect(entryOf('01234569')?.legalForm).toBe('Private limited by guarantee without share capital');
  });

  it('gets back the zeros that a spreadsheet took from a number', () => {
    expect(entryOf('00123456')?.legalName).toBe('SPREADSHEET VICTIM LTD');
  });

  it('has companies of other countries, however the countries are written', () => {
    expect(entryOf('FC012345')?.address).toMatchObject({
      street: 'RUE FICTIVE',
      house: '3',
      city: 'PARIS',
      country: 'FR',
    });
    expect(entryOf('FC012346')?.address.country).toBe('VG');
    expect(entryOf('01234570')?.address.country).toBe('GB');
  });

  it('has records that cannot be used, each for a reason', () => {
    expect(read.refused).toEqual([
      {
        record: 10,
        line: 11,
        reason: 'Neither RegAddress.Country nor CountryOfOrigin is a known country.',
        excerpt: 'ATLANTIS',
      },
      { record: 11, line: 12, reason: 'CompanyNumber must be eight letters or digits.', excerpt: '00012-34' },
      {
        record: 12,
        line: 13,
        reason: 'CompanyName must have a letter or digit, and at most 500 characters.',
        excerpt: expect.stringContaining('01234571'),
      },
    ]);
  });
});
