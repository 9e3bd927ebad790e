/**
 * W3: the latency of events to a thousand receivers that answer, without and with receivers that never answer: one each of a hundred
 * platforms, and as many of one platform as it can subscribe.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#infra/database/database';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { createVault } from '#infra/secrets/vault';
import { systemClock } from '#infra/time/clock';
import { createPlatform, issueApiKey } from '#modules/platforms';
import { endWithWorker } from '#test/children';
import type { EventsJob, EventsMeasured } from '#test/event-process';
import { patience } from '#test/patience';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get } from '#test/program-requests';
import { type RawServer, startRawServer } from '#test/raw-server';
import { until } from '#test/until';

const EVENT_PROCESS = fileURLToPath(new URL('../support/event-process.ts', import.meta.url));
const HEALTHY = Number(process.env.HEALTHY_RECEIVERS ?? 0);
const HEALTHY_OF_A_PLATFORM = 10;
const HANGING_PLATFORMS = 100;
const DELIVERIES_EACH = 3;
const EVENTS_A_SECOND = 100;
const EVENTS_OF_A_PHASE = 2 * HEALTHY;
const MASTER_KEY = Buffer.alloc(32, 7);

type Subscribed = EventsJob['subscribed'][number];

vi.setConfig({ hookTimeout: patience(120), testTimeout: patience(240) });

// The short form is `hundreds-of-black-holes-slow-nobody`: latencies are meaningless while other tests run.
describe.runIf(HEALTHY > 0)('events of a thousand receivers', () => {
  let program: RunningProgram;
  let database: Database;
  let blackHole: RawServer;
  let events: ChildProcess;
  let types: string[];
  const healthy: Subscribed[] = [];
  const hanging: Subscribed[] = [];

  // The program and the process that measures are not this one, whose garbage collections take a hundred milliseconds.
  beforeAll(async () => {
    program = await startProgram({
      args: ['--empty'],
      env: {
        TRADELINE_MASTER_KEY: MASTER_KEY.toString('base64'),
        TRADELINE_RATE_LIMIT_PER_SECOND: '0',
        TRADELINE_LOG_LEVEL: 'silent',
      },
    });
    const postgres = await attachToRunningPostgres(program.dataDir);
    database = openDatabase({
      connection: postgres?.endpoint('service') as pg.ClientConfig,
      connectionsMax: 1,
    });
    // A session of its own: Linux shares the processor between sessions.
    events = endWithWorker(fork(EVENT_PROCESS, { detached: true }));
    const [receiversUrl] = await once(events, 'message');
    blackHole = await startRawServer(() => {});
    types = (await get(program, '/openapi.json')).body.components.schemas.SubscribableType.enum;
    for (let nth = 0; nth < HEALTHY; nth += HEALTHY_OF_A_PLATFORM) {
      const key = await addPlatform();
      for (const type of types.slice(0, HEALTHY_OF_A_PLATFORM))
        healthy.push(await subscribe({ key, type }, `${receiversUrl}/${healthy.length}`));
    }
    // After its first response, each receiver has its four slots.
    await send(HEALTHY);
  });
  afterAll(async () => {
    await database?.close();
    await program?.stop();
    await blackHole?.close();
    events?.kill();
    await endPrograms();
  });

  let platforms = 0;
  async function addPlatform(): Promise<string> {
    const { db } = database;
    const now = systemClock.now();
    const code = `platform-${++platforms}`;
    const named = { code, name: code, country: 'DE', currency: 'EUR', language: 'EN' } as const;
    const platform = await createPlatform(db, createVault(MASTER_KEY), now, named);
    return issueApiKey(db, platform?.platform_id as number, now, { name: 'test', environment: 'sandbox' });
  }
  const request = async (method: string, path: string, key: string, body?: object) => {
    const response = await fetch(program.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    expect(response.ok).toBe(true);
  };
  async function subscribe({ key, type }: Subscribed, url: string): Promise<Subscribed> {
    await request('POST', '/v1/webhooks', key, { type, url });
    return { key, type };
  }
  const test = ({ key, type }: Subscribed) => request('POST', `/v1/webhooks/${type}/test`, key);

  /** Sends `count` events to the healthy receivers in turn. Returns the milliseconds from request to arrival. */
  async function send(count: number): Promise<EventsMeasured> {
    const measured = once(events, 'message');
    const job = { baseUrl: program.baseUrl, subscribed: healthy, count, perSecond: EVENTS_A_SECOND };
    events.send(job satisfies EventsJob);
    return (await measured)[0];
  }

  const hangOne = async (subscribed: Subscribed, host: string) => {
    hanging.push(await subscribe(subscribed, `http://${host}:${blackHole.port}/`));
    for (let nth = 0; nth < DELIVERIES_EACH; nth++) await test(subscribed);
  };
  const underWay = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from webhook_subscriptions s
      where s.url like ${`%:${blackHole.port}/`} and exists (
        select from webhook_deliveries d
        where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.status = 'PENDING'
      )`.execute(database.db);
    return rows[0]?.count ?? 0;
  };

  it('arrive as soon as without black holes', async () => {
    const before = await send(EVENTS_OF_A_PHASE);
    const one = await addPlatform();
    for (const type of types) await hangOne({ key: one, type }, '127.0.0.1');
    for (let nth = 1; nth <= HANGING_PLATFORMS; nth++)
      await hangOne({ key: await addPlatform(), type: 'BUYER' }, `127.0.1.${nth}`);
    await until(() => blackHole.connections > 32);
    const meanwhile = await send(EVENTS_OF_A_PHASE);
    expect(await underWay()).toBe(hanging.length);
    for (const { key, type } of hanging) await request('DELETE', `/v1/webhooks/${type}/unsubscribe`, key);
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
