/** Refusals that depend only on the key and the path, and come before all other checks of the request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatApiKey, parseApiKey, randomApiKey } from '#kernel/api-key';
import { revokeApiKey } from '#modules/platforms';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
});
afterAll(() => world.close());

describe('401', () => {
  const answerTo = (authorization: string) =>
    world.get('/v1/platform', { key: null, headers: { authorization } });

  it('is the same answer for every well-formed key that is not good here', async () => {
    const parsed = parseApiKey(world.apiKey) as NonNullable<ReturnType<typeof parseApiKey>>;
    const revoked = await world.addKey();
    const { db } = world.installation;
    await revokeApiKey(db, world.platform.platform_id, revoked.split('_')[2] as string, world.clock.now());
    const keys = [
      formatApiKey(randomApiKey('sandbox')),
      formatApiKey(randomApiKey('production')),
      formatApiKey({ ...parsed, environment: 'production' }),
      formatApiKey({ ...randomApiKey('sandbox'), keyId: parsed.keyId }),
      revoked,
      await world.addKey({ expiresAt: world.clock.now() }),
    ];
    const first = await answerTo(`Bearer ${keys[0]}`);
    expect(expectProblem(first, 'UNAUTHORIZED')).toEqual({
      error: 'Unauthorized',
      code: 'UNAUTHORIZED',
      details: {
        remedy: expect.stringContaining(
          'unknown here, revoked, expired, or belongs to the other environment',
        ),
        docs: `${world.baseUrl}/docs/errors#UNAUTHORIZED`,
      },
    });
    expect(first.headers.get('www-authenticate')).toBe('Bearer');
    for (const key of keys) {
      const reply = await answerTo(`Bearer ${key}`);
      expect([key, reply.status, reply.text, lasting(reply.headers)]).toEqual([
        key,
        401,
        first.text,
        lasting(first.headers),
      ]);
    }
  });

  it('says that the key is missing, or malformed', async () => {
    const typo = world.apiKey.slice(0, -1) + (world.apiKey.endsWith('x') ? 'y' : 'x');
    const malformed = [
      'Basic dXNlcjpwYXNz',
      'Bearer',
      world.apiKey,
      `Bearer ${world.apiKey} x`,
      `Token ${world.apiKey}`,
      `Bearer ${typo}`,
      'Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    ];
    const missing = [await world.get('/v1/platform', { key: null }), await answerTo(''), await answerTo(' ')];
    for (const reply of missing)
      expect(expectProblem(reply, 'UNAUTHORIZED', 'API_KEY_MISSING').error).toBe('Unauthorized');
    for (const authorization of malformed) {
      const reply = await answerTo(authorization);
      expect([authorization, reply.body.reason]).toEqual([authorization, 'API_KEY_MALFORMED']);
      expect(expectProblem(reply, 'UNAUTHORIZED').error).toBe('Unauthorized');
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('comes before any other issue of the request', async () => {
    const requests = v1.flatMap(([method, path]) =>
      ['b1', 'nobody', '!'].map((id) => ({ method, path: path.replaceAll(/\{\w+\}/g, id) })),
    );
    expect(requests.length).toBeGreaterThan(50);
    const none = await world.get('/v1/platform', { key: null });
    for (const { method, path } of requests) {
      for (const body of method === 'GET' ? [undefined] : [undefined, '{', 'x'.repeat(300_000)]) {
        const headers = { 'idempotency-key': 'used', 'if-match': '"1"' };
        const reply = await world.send(method, `${path}?limit=0`, { key: null, body, headers });
        expect([method, path, reply.status, reply.text]).toEqual([method, path, 401, none.text]);
        expect(reply.headers.has('etag') || reply.headers.has('ratelimit-limit')).toBe(false);
      }
    }
  });
});

describe('404 and 405', () => {
  it('answer for a path without a key and without reading a body', async () => {
    for (const key of [null, world.apiKey]) {
      const reply = await world.post('/v1/nowhere', '{', { key, headers: { 'content-type': 'text/plain' } });
      expect(expectProblem(reply, 'NOT_FOUND').details).toEqual({
        remedy: 'There is no such path. GET /openapi.json lists all paths.',
        docs: `${world.baseUrl}/docs/errors#NOT_FOUND`,
      });
    }
    for (const path of ['/v1', '/v1/', '/v1/buyers/b1/', '/v1/buyers/b1/c1', '/v2/buyers'])
      expectProblem(await world.get(path, { key: null }), 'NOT_FOUND');
  });

  it('name the path that is nearest to an unknown one', async () => {
    const nearest = async (path: string) => (await world.get(path, { key: null })).body.details.nearest_path;
    expect(await nearest('/v1/byers/b1?expand=contacts')).toBe('/v1/buyers/{external_id}');
    expect(await nearest('/buyers')).toBe('/v1/buyers');
    expect(await nearest('/v1/orders/draft/')).toBe('/v1/orders/draft');
    expect(await nearest('/v1/orders/o1/redirect-url')).toBe('/v1/orders/{external_id}/redirect_url');
    expect(await nearest(`/v1/${'%61'.repeat(4_000)}`)).toBeUndefined();
  });

  it('list the methods of the path in Allow', async () => {
    for (const [, path] of v1) {
      const example = path.replaceAll(/\{\w+\}/g, 'x');
      // The path of one operation can contain an id of another: GET /v1/orders/draft requests the order "draft".
      const there = v1.filter(([, other]) =>
        new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(example),
      );
      const methods = new Set<string>(there.map(([method]) => method));
      if (methods.has('GET')) methods.add('HEAD');
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        if (methods.has(method)) continue;
        const reply = await world.send(method, example, { key: null });
        expectProblem(reply, 'METHOD_NOT_ALLOWED');
        const allowed = [...methods].sort();
        expect([example, reply.headers.get('allow')]).toEqual([example, allowed.join(', ')]);
        expect(reply.body.details).toMatchObject({
          allowed,
          remedy: `This path does not support ${method}: use ${allowed.join(' or ')}.`,
        });
      }
    }
  });
});

/** Headers without those that differ in each answer. */
function lasting(headers: Headers): string[][] {
  return [...headers].filter(([name]) => name !== 'request-id' && name !== 'date');
}
