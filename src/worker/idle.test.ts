import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { serviceSettings, withSettings } from '#infra/database/session-settings';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { copyPlatform } from '#test/many-platforms';
import { patience } from '#test/patience';
import { sepaBody } from '#test/payees';
import { listeningTo, type SentStatement } from '#test/plans';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { startWorker } from './index.ts';
import { NO_METRICS } from './worker-metrics.ts';

vi.setConfig({ testTimeout: patience(120) });

const FEW = 100;
const MANY = 10_000;
/** Allows for an index that is one level deeper, and for a second read as of the same instant. */
const MORE_BUFFERS_MAX = 12;
/** Work that runs every minute or hour, or only with other work. */
const SELDOM = ['tidying', 'pruning'];

describe('A worker without work', () => {
  let world: World;
  let client: pg.Client;
  let superuser: pg.Client;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await world.post('/v1/merchants', merchantBody({}));
    receiver = await startReceiver();
    await world.post('/v1/webhooks', { type: 'ORDER', url: receiver.url });
    await world.post('/v1/buyers', buyerBody({ external_id: 'idle-accepted' }));
    await world.post('/v1/buyers/idle-accepted/facility', {});
    const order = draftOrderBody({ external_id: 'idle', buyer_external_id: 'idle-accepted' });
    const term = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };
    expect((await world.post('/v1/orders', { ...order, ...term })).status).toBe(201);
    const invoice = { external_id: 'idle', order_external_ids: ['idle'], amount: order.amount };
    expect((await world.post('/v1/invoices', invoice)).status).toBe(201);
    const account = sepaBody({ external_id: 'idle', merchant_external_id: 'merchant' });
    expect((await world.post('/v1/payout_instructions', account)).status).toBe(201);
    await world.post('/v1/sandbox/payout_instructions', { external_id: 'idle', trigger: 'verify' });
    // The state after the day's run.
    expect(await world.sql('update payout_runs set next_at = 2147483647 returning 1')).toHaveLength(1);
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    const connection = { ...inject('postgres').service, database: row?.name as string };
    client = new pg.Client(withSettings(connection, serviceSettings()));
    superuser = new pg.Client({ ...inject('postgres').superuser, database: row?.name as string });
    await Promise.all([client.connect(), superuser.connect()]);
  });
  afterAll(async () => {
    await Promise.all([client.end(), superuser.end()]);
    await world.close();
    await receiver.close();
  });

  /** The statements that a worker sends until each kind of its work has run `turns` times. */
  const statementsOf = async (turns: number): Promise<SentStatement[]> => {
    const sent: SentStatement[] = [];
    const done = new Map<string, number>();
    const { close, db, ...opened } = await openWorkerProcess(world);
    const metrics: typeof NO_METRICS = {
      ...NO_METRICS,
      async turn(work, run) {
        const result = await run();
        done.set(work, (done.get(work) ?? 0) + 1);
        return result;
      },
    };
    const worker = startWorker({ ...opened, metrics, db: listeningTo(db, sent) });
    const often = () => [...done].filter(([work]) => !SELDOM.includes(work));
    await until(() => often().length >= 10 && often().every(([, count]) => count >= turns), 60);
    await worker.stop();
    await close();
    return sent;
  };

  /** Buffers that each statement of an idle turn reads, by its text. */
  const buffersOfAll = async (): Promise<Map<string, number>> => {
    const buffers = new Map<string, number>();
    for (const { text, values } of await statementsOf(2)) {
      if (buffers.has(text) || !/^\s*(\(|select|with|insert|update|delete)/i.test(text)) continue;
      await client.query('begin');
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      await client.query('rollback');
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      buffers.set(text, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    }
    return buffers;
  };

  // On a cluster, the nodes read.
  it.skipIf(isOnCluster())(`reads as much with ${MANY} platforms as with ${FEW}`, async () => {
    // New events are delivered, numbered and mailed first.
    await statementsOf(4);
    await copyPlatform(superuser, FEW);
    await statementsOf(4);
    const few = await buffersOfAll();
    await copyPlatform(superuser, MANY);
    await statementsOf(4);
    const many = await buffersOfAll();
    const more = [...many].flatMap(([text, count]) => {
      const before = few.get(text) ?? 0;
      return count > before + MORE_BUFFERS_MAX ? [`${before} → ${count}: ${text.replace(/\s+/g, ' ')}`] : [];
    });
    expect(more).toEqual([]);
    expect([...many.keys()].sort()).toEqual([...few.keys()].sort());
    expect(many.size).toBeGreaterThan(20);
  });
});
