import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { inWaves } from '#test/in-waves';
import { expectProblem } from '#test/problem';
import { orderTransitions, recordedEventsOfType } from '#test/stored';
import { createWorld, type Reply, type World } from '#test/world';

let world: World;
let apiKeys: string[];
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  apiKeys = [world.apiKey, await world.addKey()];
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
});
afterAll(() => world.close());

const DUPLICATES = 10;
const KEYS = 100;
/** With their duplicates, fewer requests than the overload limit. */
const KEYS_AT_ONCE = 12;

/** Sends ten copies of each request, all at the same time; returns the replies by request. */
function sendTogether(path: string, bodies: (id: string, duplicate: number) => object): Promise<Reply[][]> {
  const ids = Array.from({ length: KEYS }, (_, index) => `race-${index}`);
  return inWaves(ids, KEYS_AT_ONCE, (id) =>
    Promise.all(
      Array.from({ length: DUPLICATES }, (_, duplicate) =>
        world.post(path, bodies(id, duplicate), {
          headers: { 'idempotency-key': `${path} ${id}` },
          key: apiKeys[duplicate % apiKeys.length] as string,
        }),
      ),
    ),
  );
}

/** Expects that one request did the work, and that every other one got its response or IDEMPOTENCY_IN_PROGRESS. */
function expectOneEffect(replies: Reply[]): void {
  const first = replies.filter(
    ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
  );
  expect(first).toHaveLength(1);
  for (const reply of replies) {
    if (reply.status === 201) expect(reply.text).toBe(first[0]?.text);
    else {
      expectProblem(reply, 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  }
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

describe('duplicates of a request that arrive together', () => {
  it('register each buyer once, with one event', async () => {
    const replies = await sendTogether('/v1/buyers', (id) => buyerBody({ external_id: id }));
    for (const each of replies) expectOneEffect(each);
    const buyers = await world.sql<{ id: string }>(
      "select external_id as id from buyers where external_id like 'race-%'",
    );
    const events = await recordedEventsOfType(world, 'BUYER.CREATED');
    const created = events
      .map(({ data }) => ({ id: String(data.external_id) }))
      .filter(({ id }) => id.startsWith('race-'));
    expect(buyers).toHaveLength(KEYS);
    expect(idsOf(created)).toEqual(idsOf(buyers));
  });

  it('draft each order once, with one transition', async () => {
    const references = { buyer_external_id: 'b1', merchant_external_id: 'm1' };
    const replies = await sendTogether('/v1/orders/draft', (id) =>
      draftOrderBody({ external_id: id, ...references }),
    );
    for (const each of replies) expectOneEffect(each);
    const orders = await world.sql<{ id: string }>('select external_id as id from orders');
    expect(orders).toHaveLength(KEYS);
    for (const { id } of orders) expect(await orderTransitions(world, id)).toHaveLength(1);
  });

  it('send each test event once', async () => {
    await world.post('/v1/webhooks', { type: 'WEBHOOK', url: 'http://127.0.0.1:9/' });
    const replies = await Promise.all(
      Array.from({ length: 50 }, () =>
        world.post('/v1/webhooks/WEBHOOK/test', undefined, { headers: { 'idempotency-key': 'one test' } }),
      ),
    );
    const done = replies.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const reply of replies)
      if (reply.status !== 200) expectProblem(reply, 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
    expect(await recordedEventsOfType(world, 'WEBHOOK.TEST')).toHaveLength(1);
  });
});

describe('different requests with one key that arrive together', () => {
  it('have one effect for each key, and the others are refused', async () => {
    const replies = await sendTogether('/v1/contacts', (id, duplicate) => ({
      external_id: `${id}-${duplicate}`,
      buyer_external_id: 'b1',
    }));
    for (const each of replies) {
      expect(each.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const reply of each) {
        if (reply.status === 422) expectProblem(reply, 'UNPROCESSABLE_ENTITY', 'IDEMPOTENCY_KEY_REUSED');
        else if (reply.status !== 201) expectProblem(reply, 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS');
      }
    }
    expect(await world.sql('select from contacts')).toHaveLength(KEYS);
  });
});
