/** More requests than the service can answer: the newest are refused, and the others are completed. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { expectProblem } from '#test/problem';
import { exchange } from '#test/raw-client';
import { until } from '#test/until';
import { createWorld, type Reply, type World } from '#test/world';

const MERCHANT = '/v1/merchants/no-such-merchant';
const CHECKOUT = `/checkout/${'x'.repeat(43)}/company`;

/** A statement waits for a lock for at most 5 s: the service must be full before that. */
const SENT_AT_ONCE = 4;

let world: World;
let holder: pg.Client;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
  const [row] = await world.sql<{ name: string }>('select current_database() as name');
  holder = new pg.Client({ ...inject('postgres').owner, database: row?.name as string });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await world.close();
});

/** Sends requests until one is refused; resolves to the refusal and to the replies to those before it. */
async function flood(path: string, key: string | null): Promise<{ refusal: Reply; begun: Promise<Reply>[] }> {
  const begun: Promise<Reply>[] = [];
  let refusal: Reply | undefined;
  await until(() => {
    for (let nth = 0; nth < SENT_AT_ONCE; nth++) {
      const reply = world.get(path, { key });
      begun.push(reply);
      void reply.then((each) => {
        if (each.status === 503) refusal ??= each;
      });
    }
    return refusal;
  });
  return { refusal: refusal as Reply, begun };
}

describe('while a lock in the database holds up all requests', () => {
  beforeEach(async () => {
    // A key is known from its first request on.
    await world.get('/v1/platform');
    await holder.query('begin; lock table merchants, checkout_links in access exclusive mode');
  });
  afterEach(() => holder.query('rollback'));

  it('the newest are refused with 503 and Retry-After, and each finds a page or a problem that it can read', async () => {
    const api = await flood(MERCHANT, world.apiKey);
    expectProblem(api.refusal, 'SERVICE_UNAVAILABLE');
    expect(api.refusal.body.error).toBe('The service has more requests than it can answer');
    expect(api.refusal.headers.get('retry-after')).toBe('1');
    // Callers without a key are not refused because of the requests of one key.
    const pages = await flood(CHECKOUT, null);
    expect(pages.refusal.headers.get('retry-after')).toBe('1');
    expect(pages.refusal.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(pages.refusal.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(pages.refusal.text).toContain('We’ll be right back');

    expect((await world.get('/healthz', { key: null })).status).toBe(200);
    await holder.query('rollback');
    // Each request that had begun found that the merchant or checkout does not exist; guesses of the latter are limited.
    const ofApi = (await Promise.all(api.begun)).map(({ status }) => status);
    expect(ofApi.filter((status) => status === 404).length).toBeGreaterThanOrEqual(128);
    expect(new Set(ofApi)).toEqual(new Set([404, 503]));
    const ofPages = (await Promise.all(pages.begun)).map(({ status }) => status);
    expect(ofPages.filter((status) => status !== 503).length).toBeGreaterThan(32);
    expect(new Set(ofPages)).toEqual(new Set([404, 429, 503]));
    // From then on all requests are accepted, even more than are always admitted.
    const after = await Promise.all(Array.from({ length: 200 }, () => world.get(MERCHANT)));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([404]));
  });

  it('another key is accepted', async () => {
    const { apiKey } = await world.addPlatform();
    await world.get('/v1/platform', { key: apiKey });
    const { begun } = await flood(MERCHANT, world.apiKey);
    const others = Array.from({ length: 16 }, () => world.get(MERCHANT, { key: apiKey }));
    await holder.query('rollback');
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([404]));
    await Promise.all(begun);
  });

  it('a refusal looks up no key, reads no body, and ends no connection for a small one', async () => {
    const { begun } = await flood(MERCHANT, world.apiKey);
    const post = (length: number, body: string, more = '') =>
      exchange(
        world.baseUrl,
        `POST /v1/merchants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.apiKey}\r\n${more}Content-Length: ${length}\r\n\r\n${body}`,
      );
    const small = await post(9, 'not JSON!');
    expect(small.answers.map(({ status }) => status)).toEqual([503]);
    expect(small.isClosed).toBe(false);
    expect((await post(1_000_000, 'a')).isClosed).toBe(true);
    const expecting = await post(9, '', 'Expect: 100-continue\r\n');
    expect(expecting.answers.map(({ status }) => status)).toEqual([503]);
    expect(expecting.isClosed).toBe(true);
    await holder.query('rollback');
    await Promise.all(begun);
  });
});
