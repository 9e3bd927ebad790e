import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#http/server';
import { createLog } from '#infra/log';
import { systemClock } from '#infra/time/clock';
import { closed } from '#kernel/fields';
import { operation } from '#operation/operation';
import { createRateLimit } from '#operation/rate-limit';
import { expectProblem } from '#test/problem';
import { describeApi } from '../../src/api/openapi.ts';

const answering = (id: string) => ({
  id,
  summary: 'Tell the time',
  tag: 'Meta' as const,
  scope: 'read' as const,
  effect: 'read' as const,
  status: 200 as const,
  response: closed({ now: Type.Integer() }, `${id}Answer`),
  problems: [],
  query: closed({ of: Type.Optional(Type.String()) }),
  run: async () => ({ body: { now: 1 } }),
});
const LINK = 'https://tradeline.example/docs/moving-on';
const routes = [
  [
    'GET',
    '/v1/old',
    operation({
      ...answering('old'),
      deprecated: { since: 1_767_225_600, sunset: 1_798_761_600, link: LINK },
    }),
  ],
  [
    'GET',
    '/v1/older',
    operation({ ...answering('older'), deprecated: { since: 1_767_225_600, sunset: 1_798_761_600 } }),
  ],
  ['GET', '/v1/current', operation(answering('current'))],
] as const;

const server = createServer({
  routes,
  log: createLog('silent'),
  clock: systemClock,
  authenticate: (authorization: string | undefined) =>
    authorization === 'Bearer good' ? { platformId: 1, keyId: 'k', scopes: new Set(['read']) } : null,
  rateLimit: createRateLimit(1, 20, { elapsedMs: () => 0 }),
  ownRateLimits: {},
  clocks: { now: () => 1 },
  baseUrl: () => '',
  onCommitted: () => {},
} as never);

let baseUrl: string;
beforeAll(async () => {
  baseUrl = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

const get = (path: string, authorization = 'Bearer good') =>
  fetch(baseUrl + path, { headers: { authorization } });
const headersOf = ({ headers }: Response) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
const GOES = ['@1767225600', 'Fri, 01 Jan 2027 00:00:00 GMT'];

describe('a deprecated operation', () => {
  it('answers with Deprecation, Sunset and Link', async () => {
    const reply = await get('/v1/old');
    expect([reply.status, await reply.json()]).toEqual([200, { now: 1 }]);
    expect(headersOf(reply)).toEqual([...GOES, `<${LINK}>; rel="deprecation"; type="text/html"`]);
  });

  it('needs no link', async () => {
    expect(headersOf(await get('/v1/older'))).toEqual([...GOES, null]);
  });

  it('has the headers on refusals too, except on 401', async () => {
    const refused = await get('/v1/older?x=1');
    expect([refused.status, ...headersOf(refused)]).toEqual([400, ...GOES, null]);
    const stranger = await get('/v1/older', 'Bearer wrong');
    expect([stranger.status, ...headersOf(stranger)]).toEqual([401, null, null, null]);
    for (let nth = 0; nth < 20; nth += 1) await get('/v1/older');
    const limited = await get('/v1/older');
    expect([limited.status, ...headersOf(limited)]).toEqual([429, ...GOES, null]);
    expectProblem({ ...limited, status: 429, headers: limited.headers, text: await limited.text() });
  });

  it('is marked in the API description, with its headers', () => {
    const { paths } = describeApi(routes) as { paths: Record<string, { get: Described }> };
    expect(paths['/v1/old']?.get).toMatchObject({
      deprecated: true,
      responses: { 200: { headers: { Deprecation: { required: true }, Sunset: { required: true } } } },
    });
    expect(paths['/v1/current']?.get).not.toHaveProperty('deprecated');
    expect(paths['/v1/current']?.get.responses[200]?.headers).not.toHaveProperty('Deprecation');
  });
});

interface Described {
  responses: Record<number, { headers: object }>;
}

describe('any other operation', () => {
  it('has none of the headers', async () => {
    expect(headersOf(await get('/v1/current'))).toEqual([null, null, null]);
  });
});
