import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES, type FormatName, formatOfHeader, REGISTRY_FORMATS } from './known-formats.ts';

const PLAIN = ['registry', 'registry_key', 'country', 'legal_name'];
const GLEIF = ['LEI', 'Entity.LegalName', 'Entity.LegalAddress.Country', 'Entity.EntityStatus'];
const COMPANIES_HOUSE = ['CompanyName', ' CompanyNumber', 'RegAddress.AddressLine1', 'CompanyStatus'];

const refusal = (header: string[], wanted: FormatName | null = null) => {
  try {
    return formatOfHeader('file.csv', header, wanted).name;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the format of a file', () => {
  it.each([
    ['gleif', GLEIF],
    ['companies-house', COMPANIES_HOUSE],
    ['csv', PLAIN],
  ])('%s is detected by its columns, in any order and among others', (name, header) => {
    expect(refusal(header)).toBe(name);
    expect(refusal(['more', ...header.toReversed(), 'and more'])).toBe(name);
    expect(refusal(header, name as FormatName)).toBe(name);
  });

  it('returns the positions of its columns', () => {
    const format = formatOfHeader(
      'file.csv',
      ['x', ' city', 'legal_name', 'country', '', 'registry_key', 'registry'],
      null,
    );
    expect(Object.fromEntries(format.columns)).toEqual({
      city: 1,
      legal_name: 2,
      country: 3,
      registry_key: 5,
      registry: 6,
    });
    expect(format.columnCount).toBe(7);
  });

  it('names unread columns if they can only be mistakes', () => {
    expect(formatOfHeader('file.csv', [...PLAIN, 'vatid', '', 'Legal_Name'], null).unknownColumns).toEqual([
      'vatid',
      'Legal_Name',
    ]);
    expect(formatOfHeader('file.csv', [...GLEIF, 'Entity.EntityCategory'], null).unknownColumns).toEqual([]);
  });

  it.each([
    [
      'no column that tells',
      ['a', 'b'],
      null,
      'file.csv has an unknown format: its first line has none of the columns LEI (gleif), CompanyNumber (companies-house), registry_key (csv).',
    ],
    [
      'semicolons',
      [PLAIN.join(';')],
      null,
      'file.csv has an unknown format: its first line has none of the columns LEI (gleif), CompanyNumber (companies-house), registry_key (csv). Columns are separated by commas.',
    ],
    [
      'missing columns',
      ['registry_key', 'country'],
      null,
      'file.csv cannot be read as our own CSV: its first line lacks the columns registry, legal_name.',
    ],
    [
      'one missing column',
      GLEIF.slice(0, 3),
      null,
      'file.csv cannot be read as a golden copy of GLEIF: its first line lacks the column Entity.EntityStatus.',
    ],
    [
      'another format than the wanted one',
      GLEIF,
      'csv',
      'file.csv cannot be read as our own CSV: its first line lacks the columns registry, registry_key, country, legal_name.',
    ],
    [
      'a column twice',
      [...PLAIN, 'city', 'city'],
      null,
      'file.csv has the column city twice: remove one of the two.',
    ],
  ] as const)('is refused in a sentence with %s', (_, header, wanted, sentence) => {
    expect(refusal([...header], wanted)).toBe(sentence);
  });

  it('is never that of two: no format has the telling column of another', () => {
    for (const name of FORMAT_NAMES) {
      const others = FORMAT_NAMES.filter((other) => other !== name).map((other) => REGISTRY_FORMATS[other]);
      const columns = others.flatMap(({ requiredColumns, optionalColumns }) => [
        ...requiredColumns,
        ...optionalColumns,
      ]);
      expect(columns).not.toContain(REGISTRY_FORMATS[name].tellingColumn);
    }
  });
});
