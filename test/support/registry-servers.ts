/**
 * The three public registries as one local server, which follows their documentation and is as strict as they are: it refuses an unknown
 * filter, a wrong key or a missing field. Each can be made to misbehave.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { leiRecords } from './registry-lei-records.ts';
import { companyProfiles, vatNumbers } from './registry-records.ts';

export type Api = 'gleif' | 'vies' | 'companies-house';
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface ReceivedRequest {
  api: Api;
  method: string;
  /** Below the base address, without the search. */
  path: string;
  search: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RegistryServers {
  url(api: Api): string;
  apiKey: string;
  requests: ReceivedRequest[];
  /** TCP connections accepted so far. */
  connections(): number;
  /** Connections that are still open. */
  connectionsOpen(): number;
  /** Sets the behaviour from now on; null for the documented one. */
  behave(api: Api, behaviour: Behaviour | null): void;
  /** Resolves when `count` requests have arrived in total. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

const API_KEY = 'invented-key-of-companies-house';

export const silent: Behaviour = () => {};
export const reset: Behaviour = (request) => request.socket.resetAndDestroy();
export const answers =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end(body);
export const garbage = answers(200, '<html>Maintenance</html>', { 'content-type': 'text/html' });
export const huge: Behaviour = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(`[${'"x",'.repeat(16_384)}`));
  };
  response.on('drain', more);
  more();
};
/** Sends the head and half of the body, then closes the connection. */
export const cutOff: Behaviour = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
  setImmediate(() => request.socket.destroy());
};
export const json = (value: unknown): Behaviour => answers(200, JSON.stringify(value));

export async function startRegistryServers(tls?: { key: string; cert: string }): Promise<RegistryServers> {
  const requests: ReceivedRequest[] = [];
  const behaviours = new Map<Api, Behaviour>();
  let connections = 0;
  let waiting: (() => void)[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams: search } = new URL(request.url ?? '', 'http://localhost');
      const [, api, path = ''] = /^\/([\w-]+)\/base(\/.*)$/.exec(pathname) ?? [];
      const body = Buffer.concat(chunks).toString();
      const requested = {
        api: api as Api,
        method: request.method ?? '',
        path,
        search,
        headers: request.headers,
        body,
      };
      requests.push(requested);
      for (const check of waiting) check();
      const behaviour = behaviours.get(requested.api);
      if (behaviour) behaviour(request, response);
      else answer(requested, response);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  let open = 0;
  server.on('connection', (socket) => {
    connections++;
    open++;
    socket.once('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (api) => `${tls ? 'https' : 'http'}://localhost:${port}/${api}/base`,
    apiKey: API_KEY,
    requests,
    connections: () => connections,
    connectionsOpen: () => open,
    behave(api, behaviour) {
      if (behaviour) behaviours.set(api, behaviour);
      else behaviours.delete(api);
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return;
          waiting = waiting.filter((other) => other !== check);
          resolve();
        };
        waiting.push(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(requested: ReceivedRequest, response: ServerResponse): void {
  const [status, body] = { gleif, vies, 'companies-house': companiesHouse }[requested.api](requested);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
  response.end(text);
}

type Answer = [status: number, body: unknown];

function gleif({ path, search, headers }: ReceivedRequest): Answer {
  if (!/^application\/(vnd\.api\+)?json$/.test(headers.accept ?? '')) return [406, 'Not acceptable'];
  if (path === '/fuzzycompletions') return fuzzyCompletions(search);
  const lei = /^\/lei-records\/(\w+)$/.exec(path)?.[1];
  if (lei !== undefined) {
    const record = leiRecords.find(({ id }) => id === lei);
    // GLEIF answers with an HTML page here.
    return record
      ? [200, { meta: { goldenCopy: { publishDate: '2025-06-01T08:00:00Z' } }, data: record }]
      : [404, 'Not found'];
  }
  return path === '/lei-records' ? leiSearch(search) : [404, 'Not found'];
}

type LeiRecord = (typeof leiRecords)[number];
type Named = { name: string };
// biome-ignore lint/suspicious/noExplicitAny: an entity is whatever its record says.
const entityOf = (record: LeiRecord): any => record.attributes.entity;
const namesOf = (record: LeiRecord): string[] => {
  const { legalName, otherNames, transliteratedOtherNames } = entityOf(record);
  return [legalName, ...otherNames, ...transliteratedOtherNames].map((named: Named) => named.name);
};

/** A filter compares whole words; commas separate alternatives. */
const FILTERS: Record<string, (record: LeiRecord, value: string) => boolean> = {
  'filter[lei]': (record, value) => value.split(',').includes(record.id),
  'filter[entity.names]': (record, value) => anyOf(value, (text) => namesOf(record).some(hasWords(text))),
  'filter[entity.registeredAs]': (record, value) =>
    anyOf(value, (text) => hasWords(text)(entityOf(record).registeredAs ?? '')),
  'filter[entity.legalAddress.country]': (record, value) => entityOf(record).legalAddress.country === value,
};

function leiSearch(search: URLSearchParams): Answer {
  const size = Number(search.get('page[size]') ?? 15);
  const isKnown = (key: string) => key in FILTERS || key === 'page[size]' || key === 'page[number]';
  if (![...search.keys()].every(isKnown) || !(size >= 1 && size <= 200)) {
    return [400, { errors: [{ status: '400', title: 'Invalid filter or page' }] }];
  }
  const found = leiRecords.filter((record) =>
    [...search].every(([key, value]) => FILTERS[key]?.(record, value) ?? true),
  );
  const pagination = { currentPage: 1, perPage: size, from: 1, to: size, total: found.length, lastPage: 1 };
  return [200, { meta: { pagination }, links: {}, data: found.slice(0, size) }];
}

function fuzzyCompletions(search: URLSearchParams): Answer {
  if (search.get('field') !== 'entity.legalName')
    return [400, { errors: [{ status: '400', title: 'No field' }] }];
  const data = leiRecords
    .map((record) => ({ record, likeness: likeness(search.get('q') ?? '', entityOf(record).legalName.name) }))
    .filter(({ likeness }) => likeness > 0.5)
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ record }) => ({
      type: 'fuzzycompletions',
      attributes: { value: entityOf(record).legalName.name },
      relationships: { 'lei-records': { data: { type: 'lei-records', id: record.id }, links: {} } },
    }));
  // A completion may be a name without a record.
  return [200, { data: [...data, { type: 'fuzzycompletions', attributes: { value: 'Nobody' } }] }];
}

const wordsOf = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
const hasWords = (text: string) => (name: string) =>
  wordsOf(text).every((word) => wordsOf(name).includes(word));
const anyOf = (value: string, fits: (text: string) => boolean) => value.split(',').some(fits);

/** The share of pairs of letters that two texts have in common (Dice). */
function likeness(one: string, other: string): number {
  const pairs = (text: string) => {
    const letters = wordsOf(text).join(' ');
    return Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2));
  };
  const [a, b] = [pairs(one), pairs(other)];
  return (2 * a.filter((pair) => b.includes(pair)).length) / Math.max(1, a.length + b.length);
}

function vies({ method, path, body, headers }: ReceivedRequest): Answer {
  const refuse = (error: string, status = 200): Answer => [
    status,
    { actionSucceed: false, errorWrappers: [{ error, message: 'A sentence of theirs.' }] },
  ];
  if (method !== 'POST' || path !== '/check-vat-number') return [404, 'Not found'];
  if (headers['content-type'] !== 'application/json') return refuse('VOW-ERR-1', 500);
  const { countryCode, vatNumber } = JSON.parse(body) as Record<string, string>;
  if (!countryCode || !vatNumber) return refuse('VOW-ERR-11', 400);
  const known = vatNumbers[countryCode + vatNumber];
  if (known && 'error' in known) return refuse(known.error, known.status);
  const unmatched = Object.fromEntries(
    ['Name', 'Street', 'PostalCode', 'City', 'CompanyType'].map((field) => [
      `trader${field}Match`,
      'NOT_PROCESSED',
    ]),
  );
  const found = { valid: known !== undefined, name: known?.name ?? '---', address: known?.address ?? '---' };
  const requestDate = '2025-06-01T08:00:00.000Z';
  return [200, { countryCode, vatNumber, requestDate, requestIdentifier: '', ...found, ...unmatched }];
}

function companiesHouse({ path, search, headers }: ReceivedRequest): Answer {
  const authorization = `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}`;
  if (headers.authorization !== authorization) {
    return [401, { error: 'Invalid Authorization', type: 'ch:service' }];
  }
  const number = /^\/company\/(\w+)$/.exec(path)?.[1];
  if (number !== undefined) {
    const profile = companyProfiles.find(({ company_number }) => company_number === number);
    const missing = { errors: [{ error: 'company-profile-not-found', type: 'ch:service' }] };
    return profile ? [200, profile] : [404, missing];
  }
  const size = Number(search.get('items_per_page') ?? 20);
  if (path !== '/search/companies' || !search.get('q') || !(size >= 1 && size <= 100)) {
    return [400, { errors: [{ error: 'invalid-request', type: 'ch:validation' }] }];
  }
  const found = companyProfiles.filter(({ company_name }) => hasWords(search.get('q') ?? '')(company_name));
  const items = found.slice(0, size).map((profile) => ({
    kind: 'searchresults#company',
    title: profile.company_name,
    company_number: profile.company_number,
    company_status: profile.company_status,
    company_type: profile.type,
    date_of_creation: profile.date_of_creation,
    date_of_cessation: profile.date_of_cessation,
    address: profile.registered_office_address,
    address_snippet: Object.values(profile.registered_office_address).join(', '),
    description_identifier: ['incorporated-on'],
    links: profile.links,
    matches: { title: [1, 2], snippet: [] },
  }));
  const pagination = { total_results: found.length, items_per_page: size, page_number: 1, start_index: 0 };
  return [200, { kind: 'search#companies', ...pagination, items }];
}
