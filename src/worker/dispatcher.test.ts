import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Db } from '#infra/database/database';
import { attemptDelivery, claimDeliveries } from '#modules/webhooks';
import { buyerBody } from '#test/bodies';
import { storedDeliveries, untilFinished } from '#test/deliveries';
import { patience } from '#test/patience';
import { onEachRequest, type RawServer, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker, type Worker } from './index.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

// The server runs no worker: each test starts its own.
describe('A worker that delivers webhooks', () => {
  let world: World;
  let receiver: Receiver;
  let blackHole: RawServer;
  const cleanUps: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off', TRADELINE_LOG_LEVEL: 'silent' } });
    receiver = await startReceiver();
    blackHole = await startRawServer(() => {});
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    await receiver.close();
    await blackHole.close();
    await world.close();
  });

  const openProcess = async () => {
    const { close, ...opened } = await openWorkerProcess(world);
    cleanUps.push(close);
    return opened;
  };
  const start = async (): Promise<Worker> => {
    const worker = startWorker(await openProcess());
    cleanUps.push(worker.stop);
    return worker;
  };
  const claim = async (db: Db, batchSizeMax: number, leaseSeconds = 60) =>
    (await claimDeliveries(db, { batchSizeMax, leaseSeconds })).deliveries;
  /** Subscriptions that have never been answered have one slot. */
  const haveAnswered = () => world.sql("update webhook_subscriptions set last_outcome = 'DELIVERED'");
  const subscribe = (type: string, url: string) => world.post('/v1/webhooks', { url, type });
  const urlOf = (server: RawServer) => `http://127.0.0.1:${server.port}/`;
  const createBuyers = async (count: number, prefix = 'b') => {
    for (let i = 0; i < count; i++)
      await world.post('/v1/buyers', buyerBody({ external_id: `${prefix}${i}` }));
  };
  /** Terminates all connections, as a restart of PostgreSQL does. */
  const breakConnections = async () => {
    const { superuser, service } = inject('postgres');
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    const client = new pg.Client(superuser);
    await client.connect();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = $2',
      [row?.name, service.user],
    );
    await client.end();
  };
  const leased = () => world.sql<{ leased_until: Date }>('select leased_until from webhook_leases');

  it('runs at most 4 attempts per receiver, and one that never answers does not delay others', async () => {
    await subscribe('BUYER', urlOf(blackHole));
    await subscribe('BUYER.CREATED', receiver.url);
    await haveAnswered();
    await createBuyers(30);
    await start();
    await receiver.waitFor(30);
    expect(blackHole.connections).toBe(4);
    await until(async () => (await leased()).length === 4);
  });

  it('tells deliveries of two platforms with one number apart, as after an import', async () => {
    const { platform, apiKey: key } = await world.addPlatform();
    await subscribe('BUYER', urlOf(blackHole));
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' }, { key });
    await createBuyers(1);
    await world.post('/v1/buyers', buyerBody({ external_id: 'imported' }), { key });
    await world.sql(
      `with imported as (delete from webhook_deliveries where platform_id = $1 returning *)
      insert into webhook_deliveries (platform_id, delivery_id, subscription_id, event_id, status)
      overriding system value
      select i.platform_id, d.delivery_id, i.subscription_id, i.event_id, i.status
      from imported i, webhook_deliveries d where d.platform_id <> i.platform_id`,
      [platform.platform_id],
    );
    await start();
    await receiver.waitFor(1);
    await until(async () => (await world.sql('select from webhook_attempts')).length > 0);
    expect(await world.sql('select platform_id from webhook_attempts')).toEqual([
      { platform_id: platform.platform_id },
    ]);
  });

  it('shares those 4 with other workers, even when all claim at the same moment', async () => {
    await subscribe('BUYER', receiver.url);
    await haveAnswered();
    await createBuyers(40);
    const processes = await Promise.all(Array.from({ length: 8 }, openProcess));
    for (let round = 1; round <= 10; round++) {
      const claims = await Promise.all(processes.map(({ db }) => claim(db, 9)));
      expect(claims.flat()).toHaveLength(4);
      await world.sql('delete from webhook_leases');
    }
  });

  it('sends each delivery once, with any number of workers', async () => {
    await subscribe('BUYER', receiver.url);
    const started = Promise.all([start(), start(), start()]);
    await createBuyers(60);
    await started;
    expect((await untilFinished(world)).map(({ status }) => status)).toEqual(Array(60).fill('DELIVERED'));
    expect(receiver.received).toHaveLength(60);
  });

  it('claims the longest due first, of any subscription', async () => {
    for (const type of ['BUYER', 'BUYER.CREATED']) await subscribe(type, receiver.url);
    await haveAnswered();
    await createBuyers(4);
    const { db } = await openProcess();
    for (let seconds = 1; seconds <= 8; seconds++)
      await world.sql(
        `update webhook_deliveries set next_attempt_at = now() - interval '${seconds} seconds' where (delivery_id * 5) % 8 = $1`,
        [seconds - 1],
      );
    const due = await world.sql<{ id: string }>(
      'select delivery_id as id from webhook_deliveries order by next_attempt_at',
    );
    const claimed = [];
    for (let i = 0; i < 4; i++) {
      const batch = await claim(db, 2);
      claimed.push(...batch.map(({ delivery_id }) => String(delivery_id)).sort());
    }
    const inPairs = [0, 2, 4, 6].flatMap((at) =>
      due
        .slice(at, at + 2)
        .map(({ id }) => id)
        .sort(),
    );
    expect(claimed).toEqual(inPairs);
    expect(await claim(db, 2)).toEqual([]);
  });

  it('takes over the deliveries of a killed worker within seconds', async () => {
    await subscribe('BUYER', receiver.url);
    await createBuyers(1);
    const killed = await openProcess();
    expect(await claim(killed.db, 9, 2)).toHaveLength(1);
    const claimedAtMs = performance.now();
    await start();
    await receiver.waitFor(1);
    expect(performance.now() - claimedAtMs).toBeGreaterThan(1_900);
    expect(await untilFinished(world)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });

  it('renews a lease before it expires, as long as the attempt runs', async () => {
    await subscribe('BUYER', urlOf(blackHole));
    await createBuyers(1);
    await start();
    const [first] = await until(async () => ((await leased()).length === 1 ? leased() : undefined));
    const isRenewed = () =>
      world.sql<{ is_early: boolean }>(
        // A Date has milliseconds where PostgreSQL has microseconds.
        "select now() < $1 as is_early from webhook_leases where leased_until > $1::timestamptz + interval '1 second'",
        [first?.leased_until],
      );
    expect(await until(async () => (await isRenewed())[0])).toEqual({ is_early: true });
    expect(blackHole.connections).toBe(1);
  });

  it('aborts an attempt without an answer when it stops, and the delivery is due at once', async () => {
    await subscribe('BUYER', urlOf(blackHole));
    await createBuyers(1);
    const worker = await start();
    await until(() => blackHole.connections === 1);
    await worker.stop();
    // If it had waited for the 15 s of an attempt, one would be recorded.
    const [delivery] = await storedDeliveries(world);
    expect(delivery).toMatchObject({ status: 'PENDING', attempts: 0 });
    expect(delivery?.due_in_seconds).toBeLessThanOrEqual(0);
    expect(await leased()).toEqual([]);
    expect(await world.sql('select 1 from webhook_attempts')).toEqual([]);
  });

  it('waits for an answer that comes soon when it stops, and records it', async () => {
    let requested = 0;
    const slow = await startRawServer((socket) =>
      onEachRequest(socket, () => {
        requested++;
        setTimeout(() => socket.write(OK), 300);
      }),
    );
    cleanUps.push(slow.close);
    await subscribe('BUYER', urlOf(slow));
    await createBuyers(1);
    const worker = await start();
    await until(() => requested === 1);
    await worker.stop();
    expect(await storedDeliveries(world)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });

  it('ends an attempt at its time limit as a failure, which is retried', async () => {
    await subscribe('BUYER', urlOf(blackHole));
    await createBuyers(1);
    const { db, ...sender } = await openProcess();
    const [claimed] = await claim(db, 1);
    const signal = new AbortController().signal;
    const result = await attemptDelivery(claimed as never, { ...sender, timeoutMs: 100, signal });
    expect(result).toMatchObject({ statusCode: null, failure: 'TIMEOUT', status: 'PENDING', attempt: 1 });
    expect(result.delaySeconds).toBeGreaterThan(8);
    expect(result.durationMs).toBeLessThan(patience(0.5));
  });

  it('continues after the database was unavailable', async () => {
    await subscribe('BUYER', receiver.url);
    await start();
    await createBuyers(1);
    await receiver.waitFor(1);
    await breakConnections();
    await until(
      async () => (await world.post('/v1/buyers', buyerBody({ external_id: 'after' }))).status === 201,
    );
    await receiver.waitFor(1, ({ event }) => event.data.external_id === 'after');
  });
});
