/**
 * W3: receivers that never answer, one each of a hundred platforms and as many of one platform as it can subscribe, keep few slots.
 * The test fails without the limits of `DELIVERY_SLOTS`: one platform takes 81 slots, and the event of the healthy receiver waits
 * until the attempts of a whole pool have timed out. It also fails if a worker reserves no places and two platforms have receivers
 * that answered and then hang.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patience } from '#test/patience';
import { onEachRequest, type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker, type Worker } from '../../src/worker/index.ts';

const PLATFORMS = 100;
/** In total, more deliveries than a worker has slots. */
const DELIVERIES_EACH = 3;
const WORKER_SLOTS = 256;
const HEALTHY_EVENTS = 8;
/** Per platform, for two platforms: with four slots each, they could fill all places of a worker. */
const TURNING_SUBSCRIPTIONS = 32;
const PLACES_KEPT = 64;

vi.setConfig({ hookTimeout: patience(60), testTimeout: patience(60) });

let world: World;
let blackHole: RawServer;
let receiver: Receiver;
let worker: Worker | undefined;
let opened: Awaited<ReturnType<typeof openWorkerProcess>>;
let turning: RawServer;
let isTurned = false;
let healthy: Awaited<ReturnType<World['addPlatform']>>;
let types: string[];

beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off', TRADELINE_LOG_LEVEL: 'silent' } });
  receiver = await startReceiver();
  blackHole = await startRawServer(() => {});
  turning = await startRawServer((socket) =>
    onEachRequest(socket, () => {
      if (!isTurned) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    }),
  );
  opened = await openWorkerProcess(world);
  healthy = await world.addPlatform();
  await world.post('/v1/webhooks', { type: 'BUYER', url: receiver.url }, { key: healthy.apiKey });
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
  await opened?.close();
  await blackHole?.close();
  await turning?.close();
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
  worker = startWorker(opened);
  for (let nth = 1; nth <= HEALTHY_EVENTS; nth++) {
    await world.post('/v1/webhooks/BUYER/test', undefined, { key: healthy.apiKey });
    await receiver.waitFor(nth);
  }
  const [ended] = await world.sql<{ attempts: number }>(
    "select count(*)::int as attempts from webhook_attempts where failure = 'TIMEOUT'",
  );
  // Without limits, the healthy deliveries would wait for all of these except those of the last pool.
  expect(ended?.attempts).toBeLessThan(blackHoleDeliveries - WORKER_SLOTS);
  const [running] = await world.sql<{ most: number; all: number }>(
    `select max(of_platform) as most, sum(of_platform)::int as all from (
      select count(*)::int as of_platform from webhook_leases where platform_id <> $1 group by platform_id
    ) leased`,
    // The last event has arrived, but its result may not be recorded yet.
    [healthy.platform.platform_id],
  );
  expect(running?.most).toBeLessThanOrEqual(2 * 16);
  expect(running?.all).toBeLessThanOrEqual(WORKER_SLOTS / 2);
});

it('receivers of two platforms that answered and then hang leave places to a third platform', async () => {
  await worker?.stop();
  await world.sql(
    "update webhook_deliveries set status = 'DISCARDED', finished_at = now() where status = 'PENDING'",
  );
  worker = startWorker(opened);
  for (let platform = 1; platform <= 2; platform++) {
    const { apiKey: key } = await world.addPlatform();
    for (const [nth, type] of types.slice(0, TURNING_SUBSCRIPTIONS).entries()) {
      await world.post('/v1/webhooks', { type, url: `http://127.0.2.${nth + 1}:${turning.port}/` }, { key });
      await world.post(`/v1/webhooks/${type}/test`, undefined, { key });
    }
  }
  const ofTurning = `from webhook_subscriptions where url like '%:${turning.port}/'`;
  await until(async () => {
    const [row] = await world.sql<{ answered: number }>(
      `select count(*)::int as answered ${ofTurning} and last_outcome is not null`,
    );
    return row?.answered === 2 * TURNING_SUBSCRIPTIONS;
  });
  isTurned = true;
  // When other tests run too, some answer late.
  await world.sql(
    `update webhook_subscriptions set last_outcome = 'DELIVERED' where url like '%:${turning.port}/'`,
  );
  await world.sql(
    `insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
    select platform_id, s.subscription_id, e.event_id, 'PENDING'
    from (select platform_id, subscription_id ${ofTurning}) s
    join (select *, row_number() over (partition by platform_id) as nth from events) e using (platform_id)
    where e.nth <= 8 on conflict do nothing`,
  );
  await until(async () => {
    const [row] = await world.sql<{ leased: number }>('select count(*)::int as leased from webhook_leases');
    return (row?.leased ?? 0) >= WORKER_SLOTS - PLACES_KEPT;
  });
  // The first one may find a place before the last place is taken.
  for (let nth = 1; nth <= HEALTHY_EVENTS; nth++) {
    await world.post('/v1/webhooks/BUYER/test', undefined, { key: healthy.apiKey });
    await receiver.waitFor(HEALTHY_EVENTS + nth);
  }
  const [ended] = await world.sql<{ attempts: number }>(
    `select count(*)::int as attempts from webhook_attempts where failure is not null and url like '%:${turning.port}/'`,
  );
  expect(ended?.attempts).toBe(0);
});
