/** Our own CSV, for registries that publish in another format: docs/reference/registry-csv.md. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { isCountry } from '#kernel/country';
import { isBlank } from '#kernel/text';
import { isVatIdFormat } from '#kernel/vat-id';
import type { RegistryEntry } from '../registry-entry.ts';
import { otherNamesBeside, readDay } from '../sources/registry-json.ts';
import { type FieldReader, RecordRefused, type RegistryFormat } from './registry-format.ts';

const LENGTHS_MAX: Record<string, number> = {
  registry: 32,
  registry_key: 100,
  legal_name: 500,
  trading_name: 500,
  legal_form: 500,
  street: 140,
  house: 20,
  additional: 140,
  postcode: 16,
  city: 100,
  vat_id: 48,
  tax_id: 48,
  register_id: 48,
  website: 2_048,
};
const OTHER_NAMES_MAX = 20;
/** 8888: not listed yet; 9999: no legal form. */
const ELF_CODES_WITHOUT_FORM = new Set(['8888', '9999']);

export const plainFormat: RegistryFormat = {
  title: 'our own CSV',
  tellingColumn: 'registry_key',
  requiredColumns: ['registry', 'registry_key', 'country', 'legal_name'],
  optionalColumns: [
    'trading_name',
    'other_names',
    'legal_form',
    'elf_code',
    'street',
    'house',
    'additional',
    'postcode',
    'city',
    'vat_id',
    'tax_id',
    'register_id',
    'incorporated_on',
    'website',
    'status',
  ],
  knowsAllColumns: true,
  readEntry(field) {
    const country = readCountry(field);
    const legalName = readRequired(field, 'legal_name');
    const tradingName = readOptional(field, 'trading_name');
    return {
      registry: readRegistry(field),
      registryKey: readRequired(field, 'registry_key'),
      legalName,
      tradingName: tradingName === legalName ? null : tradingName,
      otherNames: otherNamesBeside([legalName, tradingName], readOtherNames(field)),
      legalForm: readOptional(field, 'legal_form'),
      elfCode: readElf(field),
      address: {
        street: readOptional(field, 'street'),
        house: readOptional(field, 'house'),
        postcode: readOptional(field, 'postcode'),
        city: readOptional(field, 'city'),
        country,
        additional: readOptional(field, 'additional'),
      },
      identifiers: readIdentifiers(field, country),
      incorporatedAt: readIncorporation(field),
      website: readWebsite(field),
      ...readStatus(field),
    } satisfies RegistryEntry;
  },
};

/** One clean line, or null. */
function readOptional(field: FieldReader, column: string): string | null {
  const text = clean(field(column));
  if (text === null) return null;
  const lengthMax = LENGTHS_MAX[column] ?? Infinity;
  if (text.length > lengthMax)
    throw new RecordRefused(`${column} is longer than ${lengthMax} characters.`, text);
  return text;
}

function clean(text: string): string | null {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return isBlank(line) ? null : line;
}

function readRequired(field: FieldReader, column: string): string {
  const text = readOptional(field, column);
  if (text === null) throw new RecordRefused(`${column} is empty.`);
  return text;
}

function readRegistry(field: FieldReader): string {
  const registry = readRequired(field, 'registry');
  if (/^[A-Z][A-Z0-9_]*$/.test(registry)) return registry;
  throw new RecordRefused('registry must be a word of capital letters, digits and underscores.', registry);
}

function readCountry(field: FieldReader): string {
  const country = readRequired(field, 'country');
  if (isCountry(country)) return country;
  throw new RecordRefused('country must be an ISO 3166-1 country code, such as DE.', country);
}

function readOtherNames(field: FieldReader): string[] {
  const text = field('other_names');
  if (text === '') return [];
  const names = text.split('|').map(clean);
  const given = names.filter((name) => name !== null);
  if (given.length > OTHER_NAMES_MAX)
    throw new RecordRefused(`other_names has more than ${OTHER_NAMES_MAX} names.`);
  const long = given.find((name) => name.length > (LENGTHS_MAX.legal_name ?? 0));
  if (long !== undefined)
    throw new RecordRefused('A name in other_names is longer than 500 characters.', long);
  return given;
}

function readElf(field: FieldReader): string | null {
  const code = readOptional(field, 'elf_code');
  if (code === null || ELF_CODES_WITHOUT_FORM.has(code)) return null;
  if (/^[0-9A-Z]{4}$/.test(code)) return code;
  throw new RecordRefused('elf_code must be a code of ISO 20275: four letters or digits.', code);
}

function readIdentifiers(field: FieldReader, country: string): BusinessIdentifier[] {
  const identifiers: BusinessIdentifier[] = [];
  const vatId = readOptional(field, 'vat_id');
  if (vatId !== null && !isVatIdFormat(vatId, country))
    throw new RecordRefused('vat_id does not have the format of its country.', `${vatId} (${country})`);
  const taxId = readOptional(field, 'tax_id');
  const registerId = readOptional(field, 'register_id');
  if (vatId !== null) identifiers.push({ type: 'VAT_ID', value: vatId, country });
  if (taxId !== null) identifiers.push({ type: 'TAX_ID', value: taxId, country });
  if (registerId !== null) identifiers.push({ type: 'REGISTER_ID', value: registerId, country });
  return identifiers;
}

function readIncorporation(field: FieldReader): number | null {
  const text = readOptional(field, 'incorporated_on');
  if (text === null) return null;
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? readDay(text) : null;
  if (day === null) throw new RecordRefused('incorporated_on must be a day in the form YYYY-MM-DD.', text);
  return day;
}

function readWebsite(field: FieldReader): string | null {
  const text = readOptional(field, 'website');
  if (text === null) return null;
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  const isWeb = /^https?:\/\/[^\s/]+\.[^\s/]/i.test(address) && URL.canParse(address);
  if (!isWeb) throw new RecordRefused('website must be the address of a web page.', text);
  return address;
}

const STATUSES: Readonly<Record<string, Pick<RegistryEntry, 'isActive' | 'isInLiquidation'>>> = {
  ACTIVE: { isActive: true },
  IN_LIQUIDATION: { isActive: true, isInLiquidation: true },
  INACTIVE: { isActive: false },
};

function readStatus(field: FieldReader) {
  const status = readOptional(field, 'status')?.toUpperCase() ?? 'ACTIVE';
  const read = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  if (read) return read;
  throw new RecordRefused('status must be ACTIVE, IN_LIQUIDATION or INACTIVE.', status);
}
