import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Api,
  answers,
  type Behaviour,
  cutOff,
  garbage,
  huge,
  json,
  type RegistryServers,
  reset,
  silent,
  startRegistryServers,
} from '#test/registry-servers';
import { createCompaniesHouseSource } from './companies-house-source.ts';
import { createGleifSource } from './gleif-source.ts';
import type { OpenSource } from './registry-source.ts';
import { createViesSource } from './vies-source.ts';

let servers: RegistryServers;
let sources: Record<Api, OpenSource>;

beforeAll(async () => {
  servers = await startRegistryServers();
  sources = {
    gleif: createGleifSource({ baseUrl: servers.url('gleif') }),
    vies: createViesSource({ baseUrl: servers.url('vies') }),
    'companies-house': createCompaniesHouseSource({
      baseUrl: servers.url('companies-house'),
      apiKey: servers.apiKey,
    }),
  };
});
afterAll(async () => {
  for (const source of Object.values(sources)) await source.close();
  await servers.close();
});

const QUESTIONS = {
  gleif: { type: 'LEI', value: '5299000000INVENTED01', country: 'DE' },
  vies: { type: 'VAT_ID', value: 'NL999999990B01', country: 'NL' },
  'companies-house': { type: 'REGISTER_ID', value: '00012345', country: 'GB' },
} as const;

const invalidUtf8: Behaviour = (_request, response) => response.end(Buffer.from([0x22, 0xff, 0x22]));

const MISBEHAVIOURS: [string, Behaviour, object][] = [
  ['500', answers(500), { kind: 'SERVER_ERROR', code: 'HTTP_500' }],
  [
    '503 with a wait',
    answers(503, '', { 'retry-after': '7' }),
    { kind: 'SERVER_ERROR', retryAfterMs: 7_000 },
  ],
  ['429 with a wait', answers(429, '', { 'retry-after': '30' }), { kind: 'THROTTLED', retryAfterMs: 30_000 }],
  ['429', answers(429), { kind: 'THROTTLED', retryAfterMs: null }],
  ['401', answers(401, '{}'), { kind: 'REFUSED' }],
  ['403', answers(403, 'Forbidden'), { kind: 'REFUSED', code: 'HTTP_403' }],
  ['a redirect to another host', answers(301, '', { location: 'http://example.com/' }), { kind: 'PROTOCOL' }],
  ['no content', answers(204), { kind: 'PROTOCOL', code: 'HTTP_204' }],
  ['a page for people', garbage, { kind: 'PROTOCOL', code: 'NOT_JSON' }],
  ['nothing', answers(200), { kind: 'PROTOCOL', code: 'NOT_JSON' }],
  ['half a value', answers(200, '{"data":['), { kind: 'PROTOCOL', code: 'NOT_JSON' }],
  ['no UTF-8', invalidUtf8, { kind: 'PROTOCOL', code: 'NOT_JSON' }],
  ['a number', json(7), { kind: 'PROTOCOL' }],
  ['nested lists', answers(200, '['.repeat(100_000) + ']'.repeat(100_000)), { kind: 'PROTOCOL' }],
  ['an endless answer', huge, { kind: 'PROTOCOL', code: 'BODY_TOO_LARGE' }],
  ['an answer cut off', cutOff, { kind: 'CONNECTION' }],
  ['a reset', reset, { kind: 'CONNECTION' }],
];

describe.each(Object.keys(QUESTIONS) as Api[])('%s', (api) => {
  it.each(MISBEHAVIOURS)('is unavailable with %s', async (_what, behaviour, failure) => {
    servers.behave(api, behaviour);
    const { registry } = sources[api];
    const calling = sources[api].findByIdentifier(QUESTIONS[api]);
    await expect(calling).rejects.toMatchObject({ name: 'RegistryUnavailable', registry, ...failure });
  });

  it('heeds the signal of a call', async () => {
    servers.behave(api, silent);
    const controller = new AbortController();
    const call = { signal: controller.signal, beforeRequest: () => {} };
    const calling = sources[api].findByIdentifier(QUESTIONS[api], call);
    await servers.arrived(servers.requests.length + 1);
    const reason = new Error('No more time.');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
  });

  it('sends nothing if its guard refuses', async () => {
    const refusal = new Error('Not now.');
    const call = {
      signal: new AbortController().signal,
      beforeRequest: () => {
        throw refusal;
      },
    };
    const before = servers.requests.length;
    await expect(sources[api].findByIdentifier(QUESTIONS[api], call)).rejects.toBe(refusal);
    expect(servers.requests).toHaveLength(before);
  });

  it('answers again afterwards', async () => {
    servers.behave(api, null);
    expect(await sources[api].findByIdentifier(QUESTIONS[api])).toHaveLength(1);
  });
});
