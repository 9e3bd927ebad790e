/**
 * W3: receivers that never answer, a hundred of as many platforms and as many of one platform as it can subscribe, keep few slots.
 * With the limits of `DELIVERY_SLOTS` lifted it fails: one platform takes 81 slots, and the event of the healthy receiver waits
 * until the attempts of a whole pool have timed out.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patience } from '#test/patience';
import { type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker, type Worker } from '../../src/worker/index.ts';

const PLATFORMS = 100;
/** More than a worker has slots. */
const DELIVERIES_EACH = 3;
const WORKER_SLOTS = 256;
const HEALTHY_EVENTS = 8;

vi.setConfig({ hookTimeout: patience(60), testTimeout: patience(60) });

let world: World;
let blackHole: RawServer;
let receiver: Receiver;
let worker: Worker | undefined;
let close: (() => Promise<void>) | undefined;
let types: string[];

beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off', TRADELINE_LOG_LEVEL: 'silent' } });
  receiver = await startReceiver();
  blackHole = await startRawServer(() => {});
  const { body } = await world.get('/openapi.json', { key: null });
  types = body.components.schemas.SubscribableType.enum;
  await Promise.all(types.map((type) => hang(type, world.apiKey, '127.0.0.1')));
  for (let nth = 1; nth <= PLATFORMS; nth++) {
    const { apiKey } = await world.addPlatform();
    await hang('BUYER', apiKey, `127.0.1.${nth}`);
  }
});
afterAll(async () => {
  await worker?.stop();
  await close?.();
  await blackHole?.close();
  await receiver?.close();
  await world?.close();
});

/** Subscribes a receiver that never answers, and has events for it. */
async function hang(type: string, key: string, host: string): Promise<void> {
  const url = `http://${host}:${blackHole.port}/`;
  expect((await world.post('/v1/webhooks', { type, url }, { key })).status).toBe(201);
  for (let nth = 0; nth < DELIVERIES_EACH; nth++)
    expect((await world.post(`/v1/webhooks/${type}/test`, undefined, { key })).status).toBe(200);
}

it('hundreds of black holes keep no slot from a receiver that answers, whichever platform it belongs to', async () => {
  const blackHoleDeliveries = (types.length + PLATFORMS) * DELIVERIES_EACH;
  expect(blackHoleDeliveries).toBeGreaterThan(2 * WORKER_SLOTS);
  const { close: closeProcess, ...opened } = await openWorkerProcess(world);
  close = closeProcess;
  worker = startWorker(opened);
  const healthy = await world.addPlatform();
  const key = healthy.apiKey;
  await world.post('/v1/webhooks', { type: 'BUYER', url: receiver.url }, { key });
  for (let nth = 1; nth <= HEALTHY_EVENTS; nth++) {
    await world.post('/v1/webhooks/BUYER/test', undefined, { key });
    await receiver.waitFor(nth);
  }
  const [ended] = await world.sql<{ attempts: number }>(
    "select count(*)::int as attempts from webhook_attempts where failure = 'TIMEOUT'",
  );
  // If each delivery had its turn, the healthy ones would come after all of these but those of one pool.
  expect(ended?.attempts).toBeLessThan(blackHoleDeliveries - WORKER_SLOTS);
  const [running] = await world.sql<{ most: number; all: number }>(
    `select max(of_platform) as most, sum(of_platform)::int as all from (
      select count(*)::int as of_platform from webhook_leases group by platform_id
    ) leased`,
  );
  expect(running?.most).toBeLessThanOrEqual(2 * 16);
  expect(running?.all).toBeLessThanOrEqual(WORKER_SLOTS / 2);
});
