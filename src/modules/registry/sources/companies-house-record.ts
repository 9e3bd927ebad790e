import type { Address } from '#kernel/address';
import { COUNTRIES } from '#kernel/country';
import type { RegistryEntry } from '../registry-entry.ts';
import { postalAddressOf } from './postal-address.ts';
import { asList, asObject, type JsonObject, otherNamesBeside, readDay, readText } from './registry-json.ts';

/**
 * The registry's names for its types of company: `company_type` of its published enumerations
 * (github.com/companieshouse/api-enumerations, constants.yml).
 */
const COMPANY_TYPES: Record<string, string> = {
  'assurance-company': 'Assurance company',
  'charitable-incorporated-organisation': 'Charitable incorporated organisation',
  'converted-or-closed': 'Converted / closed',
  eeig: 'European Economic Interest Grouping (EEIG)',
  'european-public-limited-liability-company-se': 'European public limited liability company (SE)',
  'further-education-or-sixth-form-college-corporation':
    'Further education or sixth form college corporation',
  'icvc-securities': 'Investment company with variable capital',
  'icvc-umbrella': 'Investment company with variable capital',
  'icvc-warrant': 'Investment company with variable capital',
  'industrial-and-provident-society': 'Industrial and provident society',
  'investment-company-with-variable-capital': 'Investment company with variable capital',
  'limited-partnership': 'Limited partnership',
  llp: 'Limited liability partnership',
  ltd: 'Private limited company',
  'northern-ireland': 'Northern Ireland company',
  'northern-ireland-other': 'Credit union (Northern Ireland)',
  'old-public-company': 'Old public company',
  other: 'Other company type',
  'oversea-company': 'Overseas company',
  plc: 'Public limited company',
  'private-limited-guarant-nsc': 'Private limited by guarantee without share capital',
  'private-limited-guarant-nsc-limited-exemption':
    "Private Limited Company by guarantee without share capital, use of 'Limited' exemption",
  'private-limited-shares-section-30-exemption': "Private Limited Company, use of 'Limited' exemption",
  'private-unlimited': 'Private unlimited company',
  'private-unlimited-nsc': 'Private unlimited company without share capital',
  'registered-overseas-entity': 'Overseas entity',
  'registered-society-non-jurisdictional': 'Registered society',
  'royal-charter': 'Royal charter company',
  'scottish-charitable-incorporated-organisation': 'Scottish charitable incorporated organisation',
  'scottish-partnership': 'Scottish qualifying partnership',
  'uk-establishment': 'UK establishment company',
  ukeig: 'United Kingdom Economic Interest Grouping',
  'united-kingdom-societas': 'United Kingdom Societas',
  'unregistered-company': 'Unregistered company',
};

/** Companies with any other status exist, including those in insolvency proceedings. */
const ENDED_STATUSES = new Set(['closed', 'converted-closed', 'dissolved', 'removed']);
const LIQUIDATION_STATUSES = new Set([
  'administration',
  'insolvency-proceedings',
  'liquidation',
  'receivership',
]);

/** The registry writes countries in English, and the United Kingdom by its parts. */
const PARTS_OF_THE_KINGDOM = new Set([
  'england',
  'england & wales',
  'great britain',
  'northern ireland',
  'not specified',
  'scotland',
  'united kingdom',
  'wales',
]);
const englishNames = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRY_BY_NAME = new Map(COUNTRIES.map((code) => [englishNames.of(code)?.toLowerCase(), code]));

/** A response of `/company/{number}`, or null if it does not name a company and its country. */
export function readCompanyProfile(profile: unknown): RegistryEntry | null {
  const company = asObject(profile);
  const {
    company_name: name,
    type,
    registered_office_address: office,
    previous_company_names: names,
  } = company;
  const previousNames = asList(names).map((previous) => readText(asObject(previous).name));
  return readCompany(company, { name, type, office, previousNames });
}

/** An item of `/search/companies`, or null if it is not a company. */
export function readSearchItem(item: unknown): RegistryEntry | null {
  const company = asObject(item);
  const { title: name, company_type: type, address: office } = company;
  return readCompany(company, { name, type, office, previousNames: [] });
}

interface Differing {
  name: unknown;
  type: unknown;
  office: unknown;
  previousNames: (string | null)[];
}

/** The two responses name some fields differently. */
function readCompany(company: JsonObject, differing: Differing): RegistryEntry | null {
  const legalName = readText(differing.name);
  const number = company.company_number;
  const address = readOffice(asObject(differing.office));
  if (legalName === null || address === null) return null;
  if (typeof number !== 'string' || !/^[A-Z0-9]{8}$/.test(number)) return null;
  const { company_status: status, date_of_cessation: endedOn, date_of_creation: createdOn } = company;
  return {
    registry: 'COMPANIES_HOUSE',
    registryKey: number,
    legalName,
    tradingName: null,
    otherNames: otherNamesBeside([legalName], differing.previousNames),
    legalForm: readType(differing.type),
    elfCode: null,
    address,
    identifiers: [{ type: 'REGISTER_ID', value: number, country: 'GB' }],
    incorporatedAt: readDay(createdOn),
    website: null,
    isActive: !(typeof status === 'string' && ENDED_STATUSES.has(status)) && readDay(endedOn) === null,
    ...(typeof status === 'string' && LIQUIDATION_STATUSES.has(status) && { isInLiquidation: true }),
  };
}

function readType(value: unknown): string | null {
  const type = readText(value);
  return type !== null && Object.hasOwn(COMPANY_TYPES, type) ? (COMPANY_TYPES[type] ?? null) : type;
}

/** Null if the country is unknown: a foreign company is never placed in Britain. */
function readOffice(office: JsonObject): Address | null {
  const country = readCountry(readText(office.country));
  if (country === null) return null;
  const premises = readText(office.premises);
  const line = readText(office.address_line_1);
  const poBox = readText(office.po_box);
  const careOf = readText(office.care_of);
  const isNumber = premises !== null && /^\d+[A-Z]?(?:-\d+[A-Z]?)?$/i.test(premises);
  return postalAddressOf({
    lines: [isNumber && line !== null ? `${premises} ${line}` : line],
    additional: [
      isNumber && line !== null ? null : premises,
      readText(office.address_line_2),
      poBox === null ? null : `PO Box ${poBox.replace(/^(?:p\.? ?o\.? ?)?box */i, '')}`,
      careOf === null ? null : `c/o ${careOf}`,
    ],
    postcode: readText(office.postal_code),
    city: readText(office.locality),
    country,
  });
}

function readCountry(name: string | null): string | null {
  if (name === null || PARTS_OF_THE_KINGDOM.has(name.toLowerCase())) return 'GB';
  return COUNTRY_BY_NAME.get(name.toLowerCase()) ?? null;
}
