import type { BusinessIdentifier } from '#kernel/business-identifier';
import { isCountry } from '#kernel/country';
import type { RegistryEntry } from '../registry-entry.ts';
import { postalAddressOf } from './postal-address.ts';
import { asList, asObject, type JsonObject, otherNamesBeside, readDay, readText } from './registry-json.ts';

/** The registry of LEIs. It learns of the end of a company from the national registry. */
export const LEI_REGISTRY = 'GLEIF';
/** ISO 17442: 18 letters or digits and two check digits. */
export const LEI_FORM = /^[0-9A-Z]{18}\d{2}$/;

/** Neither names a legal form: 8888 is not listed yet, 9999 has no legal form. */
const ELF_CODES_WITHOUT_FORM = new Set(['8888', '9999']);

/** LEIs that were issued in error: the record does not describe a separate company. */
const MISTAKEN_REGISTRATIONS = new Set(['ANNULLED', 'DUPLICATE']);

const IDENTIFIER_LENGTH_MAX = 48;

/** Reads a resource of the type `lei-records`. Null if it lacks a company name or a country. */
export function readLeiRecord(resource: unknown): RegistryEntry | null {
  const { id, attributes } = asObject(resource);
  const { lei = id, entity: entityValue, registration } = asObject(attributes);
  const entity = asObject(entityValue);
  const legalName = readText(asObject(entity.legalName).name);
  const address = readAddress(asObject(entity.legalAddress));
  if (typeof lei !== 'string' || !LEI_FORM.test(lei) || legalName === null || address === null) return null;
  const names = asList(entity.otherNames).map(asObject);
  const transliterated = asList(entity.transliteratedOtherNames).map(asObject);
  const trading = names.find(({ type }) => type === 'TRADING_OR_OPERATING_NAME');
  const tradingName = readText(trading?.name);
  const { id: elfCode, other: legalForm } = asObject(entity.legalForm);
  const status = asObject(registration).status;
  return {
    registry: LEI_REGISTRY,
    registryKey: lei,
    legalName,
    tradingName,
    otherNames: otherNamesBeside(
      [legalName, tradingName],
      [...names, ...transliterated].map(({ name }) => readText(name)),
    ),
    legalForm: readText(legalForm),
    elfCode: readElfCode(elfCode),
    address,
    identifiers: readIdentifiers(entity, address.country),
    incorporatedAt: readDay(entity.creationDate),
    website: null,
    isActive:
      entity.status === 'ACTIVE' && !(typeof status === 'string' && MISTAKEN_REGISTRATIONS.has(status)),
  };
}

function readElfCode(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[0-9A-Z]{4}$/.test(value)) return null;
  return ELF_CODES_WITHOUT_FORM.has(value) ? null : value;
}

function readAddress(address: JsonObject) {
  const { country, addressNumber, addressNumberWithinBuilding, mailRouting, postalCode, city } = address;
  if (typeof country !== 'string' || !isCountry(country)) return null;
  const lines = asList(address.addressLines).map(readText);
  const routing = readText(mailRouting);
  return {
    ...postalAddressOf({
      // Some issuers repeat the routing as the first line.
      lines: lines.filter((line) => line !== routing),
      house: readText(addressNumber),
      additional: [readText(addressNumberWithinBuilding), routing],
      postcode: readText(postalCode),
      city: readText(city),
      country,
    }),
    country,
  };
}

/** The number in the national registry of the jurisdiction: `US-DE` is Delaware. */
function readIdentifiers(entity: JsonObject, seat: string): BusinessIdentifier[] {
  const value = readText(entity.registeredAs);
  if (value === null || value.length > IDENTIFIER_LENGTH_MAX) return [];
  const jurisdiction = String(entity.jurisdiction ?? '').slice(0, 2);
  return [{ type: 'REGISTER_ID', value, country: isCountry(jurisdiction) ? jurisdiction : seat }];
}
