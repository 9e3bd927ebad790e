/** Requests of every kind that a client could send, generated from openapi.json. Each depends only on the seed and its number. */
import { type ApiDocument, type DocumentedOperation, type Json, takesFile } from './api-document.ts';
import { FILES } from './files.ts';
import { spoiledBytes, spoiledPath, spoiledQuery, spoiledValue } from './fuzz-spoiling.ts';
import { type Random, randomFrom } from './random.ts';
import { fittingValue, type Making } from './schema-values.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The operation it is meant for; null if none. */
  operation: DocumentedOperation | null;
  /** Whether every part is valid according to openapi.json. */
  isFitting: boolean;
}

export interface Fuzzer {
  /** @param only The operation the request is meant for. Default: any. */
  requestAt(index: number, only?: DocumentedOperation): FuzzRequest;
}

/** Few enough that most requests find resources that earlier ones created. Orders end for good, so there are more of them. */
const idsOf = (kind: string) => (kind === 'orders' ? 240 : 40);

/**
 * Rules that the schemas do not express. Without them, hardly any order would be placed, and a clock that jumps years ahead would end all
 * orders and facilities that later requests need.
 */
const PLAUSIBLE: NonNullable<Making['plausible']> = {
  merchant_external_id: (random) => fuzzId('merchants', random.below(5)),
  currency: (random) => (random.percent(85) ? 'EUR' : 'GBP'),
  // Most invoices are without an order: random ids hardly ever match an order of the same buyer and merchant.
  order_external_ids: (random) => (random.percent(90) ? [] : [fuzzId('orders', random.below(60))]),
  buyer_external_id: (random) => fuzzId('buyers', random.below(8)),
  contact_external_id: (random) => (random.percent(90) ? null : fuzzId('contacts', random.below(40))),
  payment_method: (random) => random.pick(['CASH', 'CARD', 'TRANSFER', 'TRANSFER', 'DEBIT']),
  invoiced_at: (random) => 1_763_000_000 + random.below(3),
  due_at: (random) => 4_000_000_000 + random.below(1_000),
  until: (random) => 4_000_000_000 + random.below(1_000),
  resource_external_id: (random) => fuzzId('merchants', random.below(5)),
  // Nothing arrives while it waits, and many waiting requests slow down others.
  wait: () => 0,
  after: (random) => random.below(6),
  recover_after: (random) => random.below(6),
  paid_at: (random) => 1_763_000_000 + random.below(3),
  advance_seconds: (random) => random.pick([0, 60, 3_600, 86_400]),
};

export const fuzzId = (kind: string, nth: number) => `${kind}-${nth}`;

/** The other requests are mostly refused for values that they do not repeat. */
const REPEATED_PERCENT = 70;

/** Requests of the fuzzer never create decisions and entries with such an id, so five of each exist in advance. */
export const fuzzUuid = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;

/** For each operation, makes a request repeat stored values, which random ones would never match. */
export type Repeating = Record<string, (parts: Parts) => Parts>;

/** @param keys Authorization headers, by the rights of the key. */
export function createFuzzer(
  api: ApiDocument,
  seed: number,
  keys: Record<'all' | 'reading' | 'merchant', string>,
  repeating: Repeating,
): Fuzzer {
  return {
    requestAt(index, only) {
      const random = randomFrom(seed * 1_000_003 + index);
      const operation = only ?? random.pick(api.operations);
      const wellness = random.below(100);
      const fitting = fittingRequest(api, operation, random, keys.all);
      const repeat = random.percent(REPEATED_PERCENT) ? repeating[operation.id] : undefined;
      const request = repeat?.(fitting) ?? fitting;
      if (wellness < 55) return finish(operation, request, true);
      if (wellness < 85) return finish(operation, nearlyFitting(request, operation, random, keys), false);
      return finish(null, malformed(request, random), false);
    },
  };
}

const SUBSCRIBABLE_TYPE = { $ref: '#/components/schemas/SubscribableType' };

/** A request in parts that can be spoiled one by one. */
export interface Parts {
  method: string;
  path: string;
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** Undefined for no body. */
  body: unknown;
  bytes?: Buffer;
}

function fittingRequest(
  api: ApiDocument,
  { method, path, described }: DocumentedOperation,
  random: Random,
  key: string,
): Parts {
  const kind = path.replace('/sandbox/', '/').split('/')[2] as string;
  const idOf = (name: string): string => {
    // The type of a subscription. Subscriptions are created for any type, and deleted as often.
    if (name === 'type') return random.pick(api.follow(SUBSCRIBABLE_TYPE).enum);
    if (/^(decision|entry|event)_id$/.test(name)) return fuzzUuid(random.below(8));
    if (name === 'party') return fuzzId('buyers', random.below(idsOf('buyers')));
    const owner = name === 'external_id' ? kind : `${name.replace(/_external_ids?$/, '')}s`;
    return fuzzId(owner, random.below(idsOf(owner)));
  };
  const making: Making = { random, follow: api.follow, idOf, optionalShare: 50, plausible: PLAUSIBLE };
  const parameters: Json[] = (described.parameters ?? []).map(api.follow);
  const given = (at: string) =>
    parameters.filter((each) => each.in === at && (each.required || random.percent(25)));
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  for (const { name } of given('header')) {
    if (name === 'Idempotency-Key') headers[name] = `key-${random.below(1_000)}`;
    else if (name === 'If-Match') headers[name] = random.pick(['*', '"1"', '"2", "3"', 'W/"1"', 'x']);
    else if (name === 'If-None-Match') headers[name] = random.pick(['*', '"0"', '"1"', 'W/"1"', 'x']);
    else throw new Error(`No value is known for the header ${name}.`);
  }
  const isFile = takesFile(described);
  if (isFile) headers['content-type'] = 'application/pdf';
  const schema = isFile ? undefined : described.requestBody?.content['application/json'].schema;
  const isBodySent = schema && (described.requestBody.required || random.percent(70));
  return {
    method,
    path,
    params: Object.fromEntries(
      given('path').map(({ name, schema }) => [
        name,
        encodeURIComponent(String(fittingValue(making, schema, name))),
      ]),
    ),
    query: given('query').flatMap(({ name, schema }) => {
      const value = fittingValue(making, schema, name);
      // An empty list is sent by omitting the parameter.
      return Array.isArray(value) && value.length === 0 ? [] : [[name, String(value)] as [string, string]];
    }),
    headers,
    body: isBodySent ? fittingValue(making, schema) : undefined,
    ...(isFile && { bytes: FILES['application/pdf'] }),
  };
}

function nearlyFitting(
  parts: Parts,
  operation: DocumentedOperation,
  random: Random,
  keys: Record<string, string>,
): Parts {
  const hasBody = parts.body !== undefined;
  const spoil = random.pick([
    'body',
    'body',
    'body',
    'query',
    'params',
    'key',
    'headers',
    'method',
    'extra body',
  ]);
  switch (spoil) {
    case 'body':
      return hasBody
        ? { ...parts, body: spoiledValue(parts.body, random) }
        : { ...parts, query: spoiledQuery(parts.query, random) };
    case 'query':
      return { ...parts, query: spoiledQuery(parts.query, random) };
    case 'params':
      return {
        ...parts,
        params: Object.fromEntries(Object.keys(parts.params).map((name) => [name, spoiledPath(random)])),
      };
    case 'key': {
      const authorization = random.pick([
        '',
        'Bearer',
        'Basic eDp5',
        `Bearer ${keys.all}x`,
        `Bearer ${keys.reading}`,
        `Bearer ${keys.merchant}`,
      ]);
      return { ...parts, headers: { ...parts.headers, authorization } };
    }
    case 'headers':
      return { ...parts, headers: { ...parts.headers, ...random.pick(MALFORMED_HEADERS) } };
    case 'method':
      return {
        ...parts,
        method: random.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY']),
      };
    default:
      return operation.method === 'GET'
        ? parts
        : { ...parts, body: parts.body ?? random.pick([{}, { a: 1 }, [], 'x', null]) };
  }
}

const MALFORMED_HEADERS: Record<string, string>[] = [
  { 'idempotency-key': 'k'.repeat(256) },
  { 'idempotency-key': 'é' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'Application/JSON;charset=UTF-8' },
  { 'content-encoding': 'gzip' },
  { accept: 'text/html' },
  { 'accept-encoding': 'br' },
  { 'if-match': '"' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b' },
  { 'x-note': 'x'.repeat(8_000) },
];

function malformed(parts: Parts, random: Random): Parts {
  if (parts.body !== undefined && random.percent(70))
    return { ...parts, bytes: spoiledBytes(JSON.stringify(parts.body), random) };
  return {
    ...parts,
    path: random.pick(MALFORMED_PATHS),
    params: {},
    query: spoiledQuery(parts.query, random),
  };
}

const MALFORMED_PATHS = [
  '/',
  '//',
  '/v1',
  '/v1/',
  '/v1//buyers',
  '/v1/buyers/',
  '/v1/buyers/%',
  '/v1/buyers/a/b/c',
  '/v1/buyers/..',
  '/v1/%00',
  '/v1/buyers/%c0%ae',
  '/v1/orders/draft/draft',
  '/v2/platform',
  '/V1/platform',
  `/v1/${'x'.repeat(3_000)}`,
  '/openapi.json?a=b',
  '/.env',
];

function finish(operation: DocumentedOperation | null, parts: Parts, isFitting: boolean): FuzzRequest {
  const path = parts.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts.params[name] ?? 'x');
  const query = parts.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const body = parts.bytes ?? (parts.body === undefined ? null : Buffer.from(JSON.stringify(parts.body)));
  const isSame = operation !== null && parts.method === operation.method && parts.path === operation.path;
  return {
    method: parts.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...(body && { 'content-type': 'application/json' }), ...parts.headers },
    body,
    operation: isSame ? operation : null,
    isFitting,
  };
}

/** Encodes like a browser. Text that is already percent-encoded, or invalid, stays unchanged. */
const encoded = (text: string) => (/^%|%[fF]{2}/.test(text) ? text : encodeURIComponent(text.toWellFormed()));
