/**
 * BasicCompanyData of Companies House: all companies of the United Kingdom as CSV, monthly. A record is read like a
 * response of the API, so that both sources give the same entry.
 */
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { COUNTRIES } from '#kernel/country';
import { readCompanyProfile } from '../sources/companies-house-record.ts';
import { type FieldReader, RecordRefused, type RegistryFormat } from './registry-format.ts';

const PREVIOUS_NAMES = Array.from({ length: 10 }, (_, nth) => `PreviousName_${nth + 1}.CompanyName`);

export const companiesHouseFormat: RegistryFormat = {
  title: 'BasicCompanyData of Companies House',
  tellingColumn: 'CompanyNumber',
  requiredColumns: ['CompanyName', 'CompanyNumber', 'RegAddress.AddressLine1', 'CompanyStatus'],
  optionalColumns: [
    ...['CareOf', 'POBox', 'AddressLine2', 'PostTown', 'Country', 'PostCode'].map(
      (part) => `RegAddress.${part}`,
    ),
    'CompanyCategory',
    'CountryOfOrigin',
    'DissolutionDate',
    'IncorporationDate',
    ...PREVIOUS_NAMES,
  ],
  knowsAllColumns: false,
  readEntry(field) {
    // Spreadsheets remove leading zeros.
    const number = field('CompanyNumber').trim().padStart(8, '0');
    if (!/^[A-Z0-9]{8}$/.test(number))
      throw new RecordRefused('CompanyNumber must be eight letters or digits.', number);
    const entry = readCompanyProfile({
      company_name: field('CompanyName'),
      company_number: number,
      type: readCategory(field('CompanyCategory')),
      company_status: field('CompanyStatus').trim().toLowerCase().replaceAll(/\W+/g, '-'),
      date_of_creation: readBritishDay(field('IncorporationDate')),
      date_of_cessation: readBritishDay(field('DissolutionDate')),
      registered_office_address: readOffice(field),
      previous_company_names: PREVIOUS_NAMES.map((column) => ({ name: field(column) })),
    });
    if (!entry)
      throw new RecordRefused('CompanyName must have a letter or digit, and at most 500 characters.');
    return entry;
  },
};

/** Company types that the file and the API name differently. */
const CATEGORIES = new Map([
  ['PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)', 'private-limited-guarant-nsc'],
  [
    "PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)",
    'private-limited-guarant-nsc-limited-exemption',
  ],
  [
    'PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act)',
    'private-limited-shares-section-30-exemption',
  ],
]);

function readCategory(text: string): string {
  return CATEGORIES.get(text.trim()) ?? text;
}

function readBritishDay(text: string): string | null {
  const parts = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text.trim());
  return parts ? `${parts[3]}-${parts[2]}-${parts[1]}` : null;
}

function readOffice(field: FieldReader) {
  const line = field('RegAddress.Country').trim();
  // The country of the office, else the country of origin: a foreign company may have no office in the United Kingdom.
  const country = countryNamed(line) ?? countryNamed(field('CountryOfOrigin').trim());
  if (country === null && line !== '') {
    throw new RecordRefused('Neither RegAddress.Country nor CountryOfOrigin is a known country.', line);
  }
  return {
    care_of: field('RegAddress.CareOf'),
    po_box: field('RegAddress.POBox'),
    address_line_1: field('RegAddress.AddressLine1'),
    address_line_2: field('RegAddress.AddressLine2'),
    locality: field('RegAddress.PostTown'),
    country: country ?? '',
    postal_code: field('RegAddress.PostCode'),
  };
}

const PARTS_OF_THE_KINGDOM = ['ENGLAND', 'WALES', 'SCOTLAND', 'NORTHERN IRELAND', 'ENGLAND & WALES'];
/** Spellings of the registry that no list of countries has. */
const OTHER_SPELLINGS: Record<string, string> = {
  'BRUNEI DARUSSALAM': 'BN',
  EIRE: 'IE',
  HOLLAND: 'NL',
  'KOREA, SOUTH': 'KR',
  'REPUBLIC OF IRELAND': 'IE',
  'SOUTHERN IRELAND': 'IE',
  'ST. KITTS AND NEVIS': 'KN',
  'ST. LUCIA': 'LC',
  'ST. VINCENT AND THE GRENADINES': 'VC',
  'VIET NAM': 'VN',
  'VIRGIN ISLANDS': 'VG',
  'VIRGIN ISLANDS, U.S.': 'VI',
  'WEST GERMANY': 'DE',
};
const englishNames = new Intl.DisplayNames('en', { type: 'region' });
const names = english.countries as Record<string, string | string[]>;
/** The registry's spelling → the country name that the reader of API responses knows. */
const COUNTRY_BY_SPELLING = new Map<string, string | undefined>([
  ...COUNTRIES.flatMap((code) =>
    [names[code] ?? [], englishNames.of(code) ?? []]
      .flat()
      .map((name) => [name.toUpperCase(), englishNames.of(code)] as const),
  ),
  ...Object.entries(OTHER_SPELLINGS).map(([name, code]) => [name, englishNames.of(code)] as const),
  ...PARTS_OF_THE_KINGDOM.map((part) => [part, englishNames.of('GB')] as const),
]);

function countryNamed(spelling: string): string | null {
  return COUNTRY_BY_SPELLING.get(spelling.toUpperCase()) ?? null;
}
