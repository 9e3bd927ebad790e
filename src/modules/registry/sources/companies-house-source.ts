/**
 * Companies House, the registry of the United Kingdom. Its public data API takes a key as the user of basic
 * authentication and allows 600 requests in five minutes (https://developer-specs.company-
 * information.service.gov.uk/companies-house-public-data-api/reference).
 */
import type { RegistryEntry } from '../registry-entry.ts';
import { readCompanyProfile, readSearchItem } from './companies-house-record.ts';
import { createRegistryHttp, type RegistryHttp } from './registry-http.ts';
import { asObject, compact, readText } from './registry-json.ts';
import type { NameQuery, OpenSource, SourceCall } from './registry-source.ts';
import { RegistryUnavailable } from './registry-unavailable.ts';

export interface CompaniesHouseOptions {
  /** `https://api.company-information.service.gov.uk`, or a mirror of it. */
  baseUrl: string;
  apiKey: string;
  extraCa?: string;
}

const REGISTRY = 'COMPANIES_HOUSE';
const COUNTRY = 'GB';
const PAGE_SIZE_MAX = 100;
const NAME_LENGTH_MAX = 200;

/** Creates the source. Throws a TypeError for an invalid base address. */
export function createCompaniesHouseSource(options: CompaniesHouseOptions): OpenSource {
  const { baseUrl, apiKey, ...others } = options;
  const credentials = Buffer.from(`${apiKey}:`).toString('base64');
  const http = createRegistryHttp(REGISTRY, {
    ...others,
    baseUrl,
    headers: { accept: 'application/json', authorization: `Basic ${credentials}` },
  });
  return {
    registry: REGISTRY,
    covers: (country, by) => country === COUNTRY && (by === 'REGISTER_ID' || by === 'NAME'),
    async findByIdentifier({ type, value, country }, call) {
      const number = type === 'REGISTER_ID' && country === COUNTRY ? companyNumber(value) : null;
      return number === null ? [] : findByNumber(http, number, call);
    },
    async findByName(query, call) {
      return query.country === COUNTRY ? findByName(http, query, call) : [];
    },
    close: () => http.close(),
  };
}

/**
 * Eight characters: digits, or letters for the kind of company and digits, both padded with zeros; some societies have
 * a letter at the end (IP12345R). Null for anything else.
 */
function companyNumber(value: string): string | null {
  const written = compact(value).replace(/^(?:GB|UK)(?=\d)/, '');
  const [, letters = '', digits = '', end = ''] = /^([A-Z]{0,2})(\d{1,8})([A-Z]?)$/.exec(written) ?? [];
  if (digits === '') return null;
  const number = letters + digits.padStart(8 - letters.length - end.length, '0') + end;
  return number.length === 8 ? number : null;
}

async function findByNumber(http: RegistryHttp, number: string, call?: SourceCall): Promise<RegistryEntry[]> {
  const profile = await http.get(`/company/${number}`, call);
  if (profile === undefined) return [];
  const entry = readCompanyProfile(profile);
  if (entry?.registryKey !== number) {
    throw new RegistryUnavailable(REGISTRY, 'PROTOCOL', { code: 'BAD_RECORD' });
  }
  return [entry];
}

async function findByName(http: RegistryHttp, query: NameQuery, call?: SourceCall): Promise<RegistryEntry[]> {
  const name = readText(query.name.slice(0, NAME_LENGTH_MAX).toWellFormed());
  if (name === null) return [];
  const size = Math.min(query.limit, PAGE_SIZE_MAX);
  const search = new URLSearchParams({ q: name, items_per_page: String(size), start_index: '0' });
  const document = await http.get(`/search/companies?${search}`, call);
  const { items } = asObject(document);
  if (!Array.isArray(items)) {
    throw new RegistryUnavailable(REGISTRY, 'PROTOCOL', { code: 'BAD_DOCUMENT' });
  }
  const entries = items.map(readSearchItem).filter((entry) => entry !== null);
  // A malformed record is skipped. If all are malformed, the registry's format has changed.
  if (items.length > 0 && entries.length === 0) {
    throw new RegistryUnavailable(REGISTRY, 'PROTOCOL', { code: 'BAD_RECORD' });
  }
  // Foreign companies have a number here too, for their branches and their land.
  return entries.filter(({ address }) => address.country === COUNTRY);
}
