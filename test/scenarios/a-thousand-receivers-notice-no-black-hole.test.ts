/**
 * W3: how late events reach a thousand receivers that answer, without and beside receivers that never answer: one each of a hundred
 * platforms, and as many of one platform as it can subscribe.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { patience } from '#test/patience';
import { type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

const HEALTHY = Number(process.env.HEALTHY_RECEIVERS ?? 0);
const HEALTHY_OF_A_PLATFORM = 10;
const HANGING_PLATFORMS = 100;
const DELIVERIES_EACH = 3;
const EVENTS_A_SECOND = 100;
const EVENTS_OF_A_PHASE = 2 * HEALTHY;

interface Subscribed {
  key: string;
  type: string;
}

vi.setConfig({ hookTimeout: patience(120), testTimeout: patience(240) });

// The short form is `hundreds-of-black-holes-slow-nobody`: latencies beside other tests say nothing.
describe.runIf(HEALTHY > 0)('events of a thousand receivers', () => {
  let world: World;
  let blackHole: RawServer;
  let receiver: Receiver;
  let types: string[];
  const healthy: Subscribed[] = [];
  const hanging: Subscribed[] = [];

  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    receiver = await startReceiver();
    blackHole = await startRawServer(() => {});
    types = (await world.get('/openapi.json', { key: null })).body.components.schemas.SubscribableType.enum;
    for (let nth = 0; nth < HEALTHY; nth += HEALTHY_OF_A_PLATFORM) {
      const { apiKey: key } = await world.addPlatform();
      for (const type of types.slice(0, HEALTHY_OF_A_PLATFORM))
        healthy.push(await subscribe({ key, type }, `${receiver.url}/${healthy.length}`));
    }
    // Once each has answered, it has its four slots.
    await send(HEALTHY);
  });
  afterAll(async () => {
    await world?.close();
    await blackHole?.close();
    await receiver?.close();
  });

  async function subscribe({ key, type }: Subscribed, url: string): Promise<Subscribed> {
    expect((await world.post('/v1/webhooks', { type, url }, { key })).status).toBe(201);
    return { key, type };
  }
  const test = ({ key, type }: Subscribed) => world.post(`/v1/webhooks/${type}/test`, undefined, { key });

  /** Sends as many events to the healthy receivers in turn. Returns from request to arrival, in milliseconds. */
  async function send(count: number): Promise<number[]> {
    const sentAtMs: number[] = [];
    const before = receiver.received.length;
    const startedAtMs = performance.now();
    for (let nth = 0; nth < count; nth++) {
      await sleep(Math.max(0, startedAtMs + (nth * 1_000) / EVENTS_A_SECOND - performance.now()));
      sentAtMs[nth] = performance.now();
      void test(healthy[nth % HEALTHY] as Subscribed);
    }
    await receiver.waitFor(before + count);
    const turns = new Map<string, number>();
    return receiver.received.slice(before).map(({ path, atMs }) => {
      const turn = turns.get(path) ?? 0;
      turns.set(path, turn + 1);
      return atMs - (sentAtMs[turn * HEALTHY + Number(path.split('/').at(-1))] as number);
    });
  }

  const hangOne = async (subscribed: Subscribed, host: string) => {
    hanging.push(await subscribe(subscribed, `http://${host}:${blackHole.port}/`));
    for (let nth = 0; nth < DELIVERIES_EACH; nth++) await test(subscribed);
  };
  const underWay = async () => {
    const [row] = await world.sql<{ count: number }>(
      `select count(*)::int as count from webhook_subscriptions s
      where s.url like '%:${blackHole.port}/' and exists (
        select from webhook_deliveries d where d.subscription_id = s.subscription_id and d.status = 'PENDING')`,
    );
    return row?.count ?? 0;
  };

  it('arrive as soon as without black holes', async () => {
    const before = await send(EVENTS_OF_A_PHASE);
    const { apiKey: one } = await world.addPlatform();
    for (const type of types) await hangOne({ key: one, type }, '127.0.0.1');
    for (let nth = 1; nth <= HANGING_PLATFORMS; nth++)
      await hangOne({ key: (await world.addPlatform()).apiKey, type: 'BUYER' }, `127.0.1.${nth}`);
    await until(() => blackHole.connections > 32);
    const meanwhile = await send(EVENTS_OF_A_PHASE);
    expect(await underWay()).toBe(hanging.length);
    for (const { key, type } of hanging) await world.delete(`/v1/webhooks/${type}/unsubscribe`, { key });
    const after = await send(EVENTS_OF_A_PHASE);
    const [without, beside] = [[...before, ...after], meanwhile].map(p99) as [number, number];
    console.log(
      `${HEALTHY} receivers, ${EVENTS_A_SECOND} events a second: p99 ${without.toFixed(1)} ms without black holes (before ` +
        `${p99(before).toFixed(1)}, after ${p99(after).toFixed(1)}), ${beside.toFixed(1)} ms beside ${hanging.length} of them; ` +
        `p50 ${percentileOf([...before, ...after], 0.5).toFixed(1)} and ${percentileOf(meanwhile, 0.5).toFixed(1)} ms`,
    );
    expect(beside).toBeLessThan(1.1 * without + 1);
  });
});

const percentileOf = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] as number;
const p99 = (values: number[]) => percentileOf(values, 0.99);
