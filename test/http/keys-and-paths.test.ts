/** Refusals that depend on the key and the path only, and come before everything else about the request. */
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
  it('is the same answer for every defect of the key', async () => {
    const parsed = parseApiKey(world.apiKey) as NonNullable<ReturnType<typeof parseApiKey>>;
    const wrongSecret = formatApiKey({ ...randomApiKey('sandbox'), keyId: parsed.keyId });
    const revoked = await world.addKey();
    const { db } = world.installation;
    await revokeApiKey(db, world.platform.platform_id, revoked.split('_')[2] as string, world.clock.now());
    const expired = await world.addKey({ expiresAt: world.clock.now() });
    const typo = world.apiKey.slice(0, -1) + (world.apiKey.endsWith('x') ? 'y' : 'x');
    const keys = [
      wrongSecret,
      revoked,
      expired,
      typo,
      formatApiKey(randomApiKey('sandbox')),
      formatApiKey(randomApiKey('production')),
    ];
    const authorizations = [
      '',
      'Basic dXNlcjpwYXNz',
      'Bearer',
      'Bearer  ',
      world.apiKey,
      `Bearer ${world.apiKey} x`,
      `Token ${world.apiKey}`,
      ...keys.map((key) => `Bearer ${key}`),
    ];
    const none = await world.get('/v1/platform', { key: null });
    expectProblem(none, 'UNAUTHORIZED');
    expect(none.body).toEqual({ error: 'Unauthorized', code: 'UNAUTHORIZED' });
    expect(none.headers.get('www-authenticate')).toBe('Bearer');
    for (const authorization of authorizations) {
      const reply = await world.get('/v1/platform', { key: null, headers: { authorization } });
      expect([authorization, reply.status, reply.text, lasting(reply.headers)]).toEqual([
        authorization,
        401,
        none.text,
        lasting(none.headers),
      ]);
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
      expect(expectProblem(reply)).toEqual({ error: 'No entity found', code: 'NOT_FOUND' });
    }
    for (const path of ['/v1', '/v1/', '/v1/buyers/b1/', '/v1/buyers/b1/c1', '/v2/buyers'])
      expectProblem(await world.get(path, { key: null }), 'NOT_FOUND');
  });

  it('list the methods of the path in Allow', async () => {
    for (const [, path] of v1) {
      const example = path.replaceAll(/\{\w+\}/g, 'x');
      // The path of one operation can be an id of another's: GET /v1/orders/draft asks for the order "draft".
      const there = v1.filter(([, other]) =>
        new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(example),
      );
      const methods = new Set<string>(there.map(([method]) => method));
      if (methods.has('GET')) methods.add('HEAD');
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        if (methods.has(method)) continue;
        const reply = await world.send(method, example, { key: null });
        expectProblem(reply, 'METHOD_NOT_ALLOWED');
        expect([example, reply.headers.get('allow')]).toEqual([example, [...methods].sort().join(', ')]);
      }
    }
  });
});

/** Headers without those that differ in each answer. */
function lasting(headers: Headers): string[][] {
  return [...headers].filter(([name]) => name !== 'request-id' && name !== 'date');
}
