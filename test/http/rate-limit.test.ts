import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named } from '#test/live-registries';
import { expectProblem } from '#test/problem';
import { createWorld, type Reply, type World } from '#test/world';

describe('with TRADELINE_RATE_LIMIT_PER_SECOND', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      settings: { TRADELINE_RATE_LIMIT_PER_SECOND: '1', TRADELINE_RATE_LIMIT_BURST: '20' },
    });
  });
  afterAll(() => world.close());

  it('a key that exceeds the limit gets 429 with Retry-After, and every answer has the RateLimit headers', async () => {
    const startedAt = performance.now();
    const replies: Reply[] = [];
    for (let index = 0; index < 40; index++)
      replies.push(await world.get(index % 2 ? '/v1/platform' : '/v1/buyers/nobody'));
    const secondsTaken = Math.ceil((performance.now() - startedAt) / 1_000);

    expect(replies.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20 - secondsTaken);
    for (const reply of replies) {
      expect(reply.headers.get('ratelimit-limit')).toBe('20');
      expect(reply.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      expect(reply.headers.get('ratelimit-reset')).toMatch(/^\d+$/);
    }
    expect(replies[0]?.headers.get('ratelimit-remaining')).toBe('19');
    for (const reply of refused) {
      expect(expectProblem(reply, 'TOO_MANY_REQUESTS')).toEqual({
        error: 'Too many requests',
        code: 'TOO_MANY_REQUESTS',
        details: { docs: `${world.baseUrl}/docs/errors#TOO_MANY_REQUESTS` },
      });
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('ratelimit-remaining')).toBe('0');
    }

    const other = await world.get('/v1/platform', { key: await world.addKey() });
    expect([other.status, other.headers.get('ratelimit-remaining')]).toEqual([200, '19']);
  });

  it('a wrong key gets no RateLimit headers and takes no token', async () => {
    const key = await world.addKey();
    const wrong = `${key.slice(0, -6)}000000`;
    for (let index = 0; index < 30; index++) {
      const reply = await world.get('/v1/platform', { key: wrong });
      expect([reply.status, reply.headers.has('ratelimit-limit')]).toEqual([401, false]);
    }
    expect((await world.get('/v1/platform', { key })).headers.get('ratelimit-remaining')).toBe('19');
  });

  it('a refused write has no effect', async () => {
    const key = await world.addKey();
    const send = () =>
      world.post('/v1/contacts', { external_id: 'c1', buyer_external_id: 'nobody' }, { key });
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await send()).status));
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
  });
});

describe('with TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      settings: {
        TRADELINE_RATE_LIMIT_PER_SECOND: '10',
        TRADELINE_RATE_LIMIT_BURST: '30',
        TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND: '5',
      },
    });
  });
  afterAll(() => world.close());
  const search = (key: string) => world.get(named('Morgenrot', 'DE'), { key });
  const many = (key: string) => Promise.all(Array.from({ length: 20 }, () => search(key)));

  it('a key that searches too often gets 429, with the headers of this limit', async () => {
    const key = await world.addKey();
    const startedAt = performance.now();
    const replies = await many(key);
    const secondsTaken = Math.ceil((performance.now() - startedAt) / 1_000);
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(5);
    expect(replies.length - refused.length).toBeLessThanOrEqual(5 + 5 * secondsTaken);
    for (const reply of replies) expect(reply.headers.get('ratelimit-limit')).toBe('5');
    for (const reply of refused) {
      expectProblem(reply, 'TOO_MANY_REQUESTS');
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('ratelimit-remaining')).toBe('0');
    }
  });

  it('searches count towards the limit of all requests, but not the reverse', async () => {
    const key = await world.addKey();
    const before = await world.get('/v1/platform', { key });
    expect(before.headers.get('ratelimit-remaining')).toBe('29');
    expect((await search(key)).headers.get('ratelimit-remaining')).toBe('4');
    const after = await world.get('/v1/legal_forms?country=DE', { key });
    expect(after.headers.get('ratelimit-limit')).toBe('30');
    expect(Number(after.headers.get('ratelimit-remaining'))).toBeLessThan(30);
  });

  it('is separate for each key, and includes HEAD', async () => {
    const [one, other] = [await world.addKey(), await world.addKey()];
    await many(one);
    expect((await search(other)).headers.get('ratelimit-remaining')).toBe('4');
    const head = await world.send('HEAD', named('Morgenrot', 'DE'), { key: other });
    expect(head.headers.get('ratelimit-limit')).toBe('5');
  });
});

describe('with the limit of searches alone', () => {
  it('other requests have none', async () => {
    const world = await createWorld({
      settings: { TRADELINE_RATE_LIMIT_PER_SECOND: '0', TRADELINE_SEARCH_RATE_LIMIT_PER_SECOND: '2' },
    });
    expect((await world.get(named('Morgenrot', 'DE'))).headers.get('ratelimit-limit')).toBe('2');
    expect((await world.get('/v1/platform')).headers.has('ratelimit-limit')).toBe(false);
    await world.close();
  });
});

describe('without a limit, as in the demo', () => {
  it('there are no RateLimit headers', async () => {
    const world = await createWorld();
    for (const path of ['/v1/platform', named('Morgenrot', 'DE')]) {
      const { headers } = await world.get(path);
      expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
    await world.close();
  });
});
