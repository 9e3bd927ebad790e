import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leiRecords } from '#test/registry-lei-records';
import { companyProfiles } from '#test/registry-records';
import type { RegistryEntry } from '../registry-entry.ts';
import { readCompanyProfile, readSearchItem } from './companies-house-record.ts';
import { readLeiRecord } from './gleif-record.ts';
import { parseAddressText } from './postal-address.ts';

/** Any JSON value, including texts in all scripts and in none. */
const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.string({ maxLength: 600 }));

/** A valid record in which some fields are replaced by arbitrary values. */
function spoilt(records: unknown[]) {
  return fc
    .tuple(fc.constantFrom(...records), fc.array(fc.tuple(fc.nat(), anything), { maxLength: 4 }))
    .map(([record, changes]) => {
      const copy = structuredClone(record);
      for (const [at, value] of changes) {
        const places = placesOf(copy);
        const [parent, key] = places[at % places.length] ?? [{}, ''];
        parent[key] = value;
      }
      return copy;
    });
}

function placesOf(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [[parent, key], ...placesOf(parent[key])]) as never;
}

function isClean(entry: RegistryEntry): void {
  const { street, house, postcode, city, additional, country } = entry.address;
  expect(country).toMatch(/^[A-Z]{2}$/);
  const bounds = [140, 20, 16, 100, 140];
  for (const [index, part] of [street, house, postcode, city, additional].entries()) {
    expect(part?.length ?? 0).toBeLessThanOrEqual(bounds[index] ?? 0);
  }
  const texts = [
    entry.legalName,
    entry.tradingName,
    ...entry.otherNames,
    entry.legalForm,
    street,
    house,
    city,
  ];
  for (const text of texts.filter((text) => text !== null)) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cs}]|^\s|\s$|^$/u);
  }
  for (const { value, country } of entry.identifiers) {
    expect(value.length).toBeLessThanOrEqual(48);
    expect(country).toMatch(/^[A-Z]{2}$/);
  }
  expect(entry.incorporatedAt === null || Number.isSafeInteger(entry.incorporatedAt)).toBe(true);
}

describe('a record with anything in its fields', () => {
  it.each([
    ['readLeiRecord', readLeiRecord, leiRecords],
    ['readCompanyProfile', readCompanyProfile, companyProfiles],
    [
      'readSearchItem',
      readSearchItem,
      companyProfiles.map(({ company_name: title, registered_office_address: address, ...rest }) => ({
        ...rest,
        title,
        address,
      })),
    ],
  ])('is a clean company or none: %s', (_name, read, records) => {
    for (const record of records) expect(read(record)).not.toBeNull();
    let companies = 0;
    fc.assert(
      fc.property(spoilt(records), (record) => {
        const entry = read(record);
        if (entry === null) return;
        companies++;
        isClean(entry);
      }),
      { numRuns: 500 },
    );
    // The property is meaningful only if many records are still companies.
    expect(companies).toBeGreaterThan(100);
    fc.assert(
      fc.property(anything, (value) => {
        expect(read(value)).toBeNull();
      }),
    );
  });
});

describe('any text as an address', () => {
  it('is an address within its bounds, with its country', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 700 }),
      fc
        .array(fc.constantFrom(' ', '\n', ', ', '12', '1010', 'Wien', 'A', '-', '/', 'Box'), {
          maxLength: 200,
        })
        .map((parts) => parts.join('')),
    );
    const country = fc.constantFrom('AT', 'DE', 'FR', 'GR', 'IT', 'NL', 'SI', 'US', 'ZZ');
    fc.assert(
      fc.property(text, country, (text, country) => {
        const address = parseAddressText(text, country);
        expect(address.country).toBe(country);
        for (const part of Object.values(address))
          expect(part ?? 'none').not.toMatch(/[\p{Cc}\p{Cs}]|^\s|\s$|^$/u);
        expect(address.street?.length ?? 0).toBeLessThanOrEqual(140);
      }),
      { numRuns: 500 },
    );
  });
});
