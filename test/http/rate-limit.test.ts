import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('a key that asks too often gets 429 with Retry-After, and the headers say how it stands', async () => {
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
      });
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('ratelimit-remaining')).toBe('0');
    }

    const other = await world.get('/v1/platform', { key: await world.addKey() });
    expect([other.status, other.headers.get('ratelimit-remaining')]).toEqual([200, '19']);
  });

  it('a stranger learns nothing of it, and takes nothing of it', async () => {
    const key = await world.addKey();
    const wrong = `${key.slice(0, -6)}000000`;
    for (let index = 0; index < 30; index++) {
      const reply = await world.get('/v1/platform', { key: wrong });
      expect([reply.status, reply.headers.has('ratelimit-limit')]).toEqual([401, false]);
    }
    expect((await world.get('/v1/platform', { key })).headers.get('ratelimit-remaining')).toBe('19');
  });

  it('a refused write does nothing', async () => {
    const key = await world.addKey();
    const send = () =>
      world.post('/v1/contacts', { external_id: 'c1', buyer_external_id: 'nobody' }, { key });
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await send()).status));
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
  });
});

describe('without a limit, as in the demo', () => {
  it('no headers speak of one', async () => {
    const world = await createWorld();
    const { headers } = await world.get('/v1/platform');
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    await world.close();
  });
});
