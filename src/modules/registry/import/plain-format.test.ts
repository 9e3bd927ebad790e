import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegistryEntry } from '#modules/registry';
import { filesFolder, fixture, type ReadFile, readRegistryFile } from '#test/registry-files';

const folder = filesFolder();
afterAll(() => folder.remove());

let read: ReadFile;
beforeAll(async () => {
  read = await readRegistryFile(fixture('plain.csv'));
});

const HEADER = 'registry,registry_key,country,legal_name';
const readLines = (columns: string, ...lines: string[]) =>
  readRegistryFile(folder.write('lines.csv', `${HEADER}${columns}\n${lines.join('\n')}\n`));

describe('our own CSV', () => {
  it('reads a company from all of its columns', () => {
    expect(read.format).toMatchObject({ name: 'csv', unknownColumns: [] });
    expect(read.entries[0]).toEqual({
      registry: 'CHAMBER',
      registryKey: '1',
      legalName: 'Erfundene Öfen GmbH',
      tradingName: 'Öfen',
      otherNames: ['Oefen & Co', 'Alte Öfen GmbH'],
      legalForm: 'GmbH',
      elfCode: '2HBR',
      address: {
        street: 'Löschgasse',
        house: '7 a',
        postcode: '02826',
        city: 'Görlitz',
        country: 'DE',
        additional: 'Hinterhof',
      },
      identifiers: [
        { type: 'VAT_ID', value: 'DE 123 456 789', country: 'DE' },
        { type: 'TAX_ID', value: '12/345/67890', country: 'DE' },
        { type: 'REGISTER_ID', value: 'HRB 12345 B', country: 'DE' },
      ],
      incorporatedAt: Date.UTC(1868, 4, 2) / 1_000,
      website: 'https://www.oefen.example',
      isActive: false,
    } satisfies RegistryEntry);
  });

  it('reads a company that is being wound up as active', async () => {
    const { entries } = await readLines(
      ',status',
      'CHAMBER,1,DE,Endlich GmbH,in_liquidation',
      'CHAMBER,2,DE,Neu GmbH,',
    );
    expect(entries.map(({ isActive, isInLiquidation }) => [isActive, isInLiquidation])).toEqual([
      [true, true],
      [true, undefined],
    ]);
  });

  it('requires only a key, a country and a name', () => {
    expect(read.entries[2]).toEqual({
      registry: 'CHAMBER',
      registryKey: '3',
      legalName: 'Gar keine Angaben',
      tradingName: null,
      otherNames: [],
      legalForm: null,
      elfCode: null,
      address: { street: null, house: null, postcode: null, city: null, country: 'DE', additional: null },
      identifiers: [],
      incorporatedAt: null,
      website: null,
      isActive: true,
    } satisfies RegistryEntry);
  });

  it('has its fields made one line each, without control characters', async () => {
    expect(read.entries[1]?.legalName).toBe('The "Imaginary, Inc." Company of Nowhere');
    const { entries } = await readLines(
      ',city',
      'DEMO,1,DE, Steuer\u0007zeichen\u0000 GmbH ,"Köln\t\nMülheim"',
    );
    expect(entries[0]).toMatchObject({ legalName: 'Steuer zeichen GmbH', address: { city: 'Köln Mülheim' } });
  });

  it('has records that cannot be used, each for a reason', () => {
    expect(read.refused.map(({ reason, excerpt }) => `${reason} ${excerpt}`)).toEqual([
      'vat_id does not have the format of its country. DE12345 (DE)',
      'vat_id does not have the format of its country. ATU12345678 (DE)',
      'country must be an ISO 3166-1 country code, such as DE. XX',
      'country must be an ISO 3166-1 country code, such as DE. de',
      'incorporated_on must be a day in the form YYYY-MM-DD. 2023-02-29',
      'incorporated_on must be a day in the form YYYY-MM-DD. 09/02/1990',
      'website must be the address of a web page. javascript:alert(1)',
      'status must be ACTIVE, IN_LIQUIDATION or INACTIVE. MAYBE',
      'legal_name is empty. CHAMBER,12,DE,,,,,,,,,,,,,,,,',
      'registry_key is empty. CHAMBER,,DE,Ohne Schlüssel GmbH,,,,,,,,,,,,,,,',
      'registry must be a word of capital letters, digits and underscores. chamber of Görlitz',
      'elf_code must be a code of ISO 20275: four letters or digits. 2HB',
      'house is longer than 20 characters. hinten links im dritten Hof',
    ]);
    expect(read.refused[0]).toMatchObject({ record: 4, line: 6 });
  });

  it('reads a code of ISO 20275 without a legal form as null', () => {
    expect(read.entries.find(({ registryKey }) => registryKey === '15')?.elfCode).toBeNull();
  });

  it.each([
    ['a record that is too short', 'DEMO,1,DE', 'The record has fewer columns than the header.'],
    ['a record that is too long', 'DEMO,1,DE,Name,more', 'The record has more columns than the header.'],
    ['a name of 501 letters', `DEMO,1,DE,${'x'.repeat(501)}`, 'legal_name is longer than 500 characters.'],
    ['a name of invisible letters', 'DEMO,1,DE,\u200b\u00ad', 'legal_name is empty.'],
    [
      'a quote too many',
      'DEMO,1,DE,"Name"" GmbH"x',
      'There is text between a closing quote and the next comma.',
    ],
  ])('refuses %s', async (_, line, reason) => {
    const { entries, refused } = await readLines('', line, 'DEMO,2,DE,Next');
    expect(refused.map((each) => each.reason)).toEqual([reason]);
    expect(entries.map(({ legalName }) => legalName)).toEqual(['Next']);
  });

  it('takes commas at the end of a record for nothing', async () => {
    const { entries } = await readLines('', 'DEMO,1,DE,Name,,,');
    expect(entries.map(({ legalName }) => legalName)).toEqual(['Name']);
  });

  it('takes at most twenty other names, of at most 500 letters', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, nth) => `Name ${nth}`).join('|');
    const { entries, refused } = await readLines(
      ',other_names',
      `DEMO,1,DE,Twenty,${names(20)}`,
      `DEMO,2,DE,More,${names(21)}`,
      `DEMO,3,DE,Long,${'x'.repeat(501)}`,
    );
    expect(entries.map(({ otherNames }) => otherNames.length)).toEqual([20]);
    expect(refused.map(({ reason }) => reason)).toEqual([
      'other_names has more than 20 names.',
      'A name in other_names is longer than 500 characters.',
    ]);
  });
});
