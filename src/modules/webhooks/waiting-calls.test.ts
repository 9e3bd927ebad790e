import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buyerBody } from '#test/bodies';
import { expectProblem } from '#test/problem';
import { openRawClient, type RawClient } from '#test/raw-client';
import { until } from '#test/until';
import { createWorld, type Reply, type World } from '#test/world';
import { WAITING_MAX } from './waiting-calls.ts';

describe('calls of GET /v1/events that wait', () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  let world: World;
  /** The position of the last event. */
  let last = 0;
  beforeAll(async () => {
    // Here only the limit of waiting calls answers with 429.
    world = await createWorld({ settings: { TRADELINE_RATE_LIMIT_PER_SECOND: '0' } });
    await addEvent();
  });
  afterAll(async () => {
    await world.close();
    sent.mockRestore();
  });
  beforeEach(() => {
    sent.mockClear();
  });

  async function addEvent(): Promise<void> {
    await world.post('/v1/buyers', buyerBody({ external_id: `b${last + 1}` }));
    await until(async () => (await world.get(`/v1/events?after=${last}`)).body.items?.length === 1);
    last++;
  }

  const wait = (seconds: number, query = '') => world.get(`/v1/events?after=${last}&wait=${seconds}${query}`);
  const waitAtOnce = (count: number, seconds: number) =>
    Promise.all(Array.from({ length: count }, () => wait(seconds)));

  /** The number of statements with the text that were sent, for one platform if it is given. */
  const countSent = (text: string, platformId?: number) =>
    (sent.mock.calls as unknown as [{ text?: string; values?: unknown[] }][]).filter(
      ([statement]) =>
        statement.text?.includes(text) &&
        (platformId === undefined || statement.values?.includes(platformId) === true),
    ).length;
  const POSITIONS = 'position_last as last';
  const EVENTS = 'select position, body from events';

  it('share one statement each 100 ms, and read no events while there is no new one', async () => {
    const startedAtMs = performance.now();
    const replies = await waitAtOnce(WAITING_MAX, 2);
    const checks = (performance.now() - startedAtMs) / 99;
    expect(replies.map(({ status, body }) => [status, body])).toEqual(
      replies.map(() => [200, { items: [], limit: 100, next: last, has_more: false }]),
    );
    expect(countSent(EVENTS)).toBe(0);
    // Each may look up the positions once before it waits.
    expect(countSent(POSITIONS)).toBeLessThanOrEqual(WAITING_MAX + checks + 1);
  });

  it('cost nothing once they have ended', async () => {
    const other = await world.addPlatform({ code: 'other' });
    await wait(1);
    sent.mockClear();
    await world.get('/v1/events?wait=1', { key: other.apiKey });
    expect(countSent(POSITIONS, other.platform.platform_id)).toBeGreaterThan(1);
    expect(countSent(POSITIONS, world.platform.platform_id)).toBe(0);
  });

  it('have 64 slots of a platform: a further call gets 429, and an event answers all the others', async () => {
    const replies: Reply[] = [];
    const all = Promise.all(
      Array.from({ length: WAITING_MAX + 1 }, async () => void replies.push(await wait(30))),
    );
    await until(() => replies.length === 1);
    const [refused] = replies as [Reply];
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(expectProblem(refused, 'TOO_MANY_REQUESTS')).toMatchObject({
      error: '64 calls of this platform are already waiting for events',
    });

    const other = await world.addPlatform({ code: 'quiet' });
    expect((await world.get('/v1/events?wait=1', { key: other.apiKey })).status).toBe(200);
    // A call that finds events does not wait.
    expect((await world.get(`/v1/events?after=${last - 1}&wait=30`)).body.items).toHaveLength(1);

    const position = last + 1;
    await addEvent();
    await all;
    expect(replies.slice(1).map(({ status, body }) => [status, body.items[0].position])).toEqual(
      replies.slice(1).map(() => [200, position]),
    );
  });

  it('wait no longer than asked also while events come that their filters leave out', async () => {
    let isAnswered = false;
    const waiting = wait(1, '&type=MERCHANT').finally(() => {
      isAnswered = true;
    });
    const from = last;
    while (!isAnswered) await addEvent();
    const { body } = await waiting;
    expect(body).toMatchObject({ items: [], has_more: false });
    expect(body.next).toBeGreaterThan(from);
  });

  it('end when their clients close the connections, also those sent before the answer to another', async () => {
    const request = `GET /v1/events?after=${last}&wait=30 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.apiKey}\r\n\r\n`;
    let isOver = false;
    const begunBefore = wait(30).finally(() => {
      isOver = true;
    });
    const clients: RawClient[] = [];
    for (let count = 0; count <= WAITING_MAX; count++) clients.push(await openRawClient(world.baseUrl));
    for (const client of clients) client.send(request + request);
    // One connection has no slot for its first request: all slots are taken.
    await until(() => clients.some((client) => client.answers()[0]?.status === 429));
    for (const client of clients) client.close();
    await until(async () => {
      const replies = await waitAtOnce(WAITING_MAX - 1, 1);
      return isOver || replies.every(({ status }) => status === 200);
    });
    // They would otherwise end after the call that began before them.
    expect(isOver).toBe(false);
    await addEvent();
    expect((await begunBefore).body.items).toHaveLength(1);
  });
});
