/**
 * GLEIF, the registry of Legal Entity Identifiers: companies of all countries that have an LEI. Its public API needs no
 * key and allows 60 requests a minute (https://www.gleif.org/en/lei-data/gleif-api).
 */
import type { RegistryEntry } from '../registry-entry.ts';
import { LEI_FORM, LEI_REGISTRY, readLeiRecord } from './gleif-record.ts';
import { isSameRegistryNumber, registryNumberSpellings } from './registration-number-spellings.ts';
import { createRegistryHttp, type RegistryHttp } from './registry-http.ts';
import { asList, asObject, compact, readText } from './registry-json.ts';
import type { IdentifierQuery, NameQuery, OpenSource, SourceCall } from './registry-source.ts';
import { RegistryUnavailable } from './registry-unavailable.ts';

export interface GleifOptions {
  /** `https://api.gleif.org/api/v1`, or a mirror of it. */
  baseUrl: string;
  extraCa?: string;
}

const PAGE_SIZE_MAX = 100;
/** Several courts of a country may have assigned the same number. */
const NUMBER_PAGE_SIZE = 20;
/** Longer than any registered name, and short enough for a URL. */
const NAME_LENGTH_MAX = 200;

/** Creates the source. Throws a TypeError for an invalid base address. */
export function createGleifSource({ baseUrl, ...options }: GleifOptions): OpenSource {
  const http = createRegistryHttp(LEI_REGISTRY, {
    ...options,
    baseUrl,
    headers: { accept: 'application/vnd.api+json' },
  });
  return {
    registry: LEI_REGISTRY,
    covers: (_country, by) => by !== 'VAT_ID',
    async findByIdentifier(query, call) {
      if (query.type === 'LEI') return findByLei(http, query, call);
      if (query.type === 'REGISTER_ID') return findByNumber(http, query, call);
      return [];
    },
    findByName: (query, call) => findByName(http, query, call),
    close: () => http.close(),
  };
}

async function findByLei(http: RegistryHttp, { value, country }: IdentifierQuery, call?: SourceCall) {
  const lei = compact(value);
  if (!LEI_FORM.test(lei)) return [];
  const document = await http.get(`/lei-records/${lei}`, call);
  if (document === undefined) return [];
  const entry = readLeiRecord(asObject(document).data);
  // An answer about another company is a protocol error.
  if (entry?.registryKey !== lei)
    throw new RegistryUnavailable(LEI_REGISTRY, 'PROTOCOL', { code: 'BAD_RECORD' });
  return entry.address.country === country ? [entry] : [];
}

/** Tries several spellings, because GLEIF compares numbers word by word: it may find one spelling and not another. */
async function findByNumber(http: RegistryHttp, { value, country }: IdentifierQuery, call?: SourceCall) {
  for (const spelling of registryNumberSpellings(value, country)) {
    const filters = { 'entity.registeredAs': literal(spelling), 'entity.legalAddress.country': country };
    const entries = await findRecords(http, filters, NUMBER_PAGE_SIZE, call);
    const found = entries.filter(({ identifiers, address }) => {
      const isSame = identifiers.some((own) => isSameRegistryNumber(own.value, value, country));
      return isSame && address.country === country;
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Searches all words in all names of a company. Without a result, uses GLEIF's own suggestion. */
async function findByName(http: RegistryHttp, query: NameQuery, call?: SourceCall): Promise<RegistryEntry[]> {
  const name = literal(query.name).slice(0, NAME_LENGTH_MAX).toWellFormed();
  if (readText(name) === null) return [];
  const { country } = query;
  const size = Math.min(query.limit, PAGE_SIZE_MAX);
  const filters = { 'entity.names': name, 'entity.legalAddress.country': country };
  const inCountry = (entry: RegistryEntry) => entry.address.country === country;
  const found = (await findRecords(http, filters, size, call)).filter(inCountry);
  if (found.length > 0) return found;

  const leis = (await guessLeis(http, name, call)).slice(0, size);
  if (leis.length === 0) return [];
  const guesses = { lei: leis.join(','), 'entity.legalAddress.country': country };
  const entries = (await findRecords(http, guesses, leis.length, call)).filter(inCountry);
  return entries.sort((a, b) => leis.indexOf(a.registryKey) - leis.indexOf(b.registryKey));
}

async function guessLeis(http: RegistryHttp, name: string, call?: SourceCall): Promise<string[]> {
  const search = new URLSearchParams({ field: 'entity.legalName', q: name });
  const completions = readData(await http.get(`/fuzzycompletions?${search}`, call));
  const leis = completions.map((completion) => {
    const { relationships } = asObject(completion);
    return asObject(asObject(asObject(relationships)['lei-records']).data).id;
  });
  return [...new Set(leis)].filter((lei) => typeof lei === 'string').filter((lei) => LEI_FORM.test(lei));
}

/** A malformed record is skipped. If all are malformed, the registry's format has changed. */
async function findRecords(
  http: RegistryHttp,
  filters: Record<string, string>,
  size: number,
  call?: SourceCall,
): Promise<RegistryEntry[]> {
  const search = new URLSearchParams({ 'page[size]': String(size), 'page[number]': '1' });
  for (const [field, value] of Object.entries(filters)) search.set(`filter[${field}]`, value);
  const records = readData(await http.get(`/lei-records?${search}`, call));
  const entries = records.map(readLeiRecord).filter((entry) => entry !== null);
  if (records.length > 0 && entries.length === 0) {
    throw new RegistryUnavailable(LEI_REGISTRY, 'PROTOCOL', { code: 'BAD_RECORD' });
  }
  return entries;
}

/** The list of a JSON:API document. */
function readData(document: unknown): unknown[] {
  const { data } = asObject(document);
  if (Array.isArray(data)) return asList(data);
  throw new RegistryUnavailable(LEI_REGISTRY, 'PROTOCOL', { code: 'BAD_DOCUMENT' });
}

/** Escapes the text for a filter, in which a comma means "or" and an asterisk matches anything. */
function literal(text: string): string {
  return text.replaceAll(/[\s,*]+/g, ' ').trim();
}
