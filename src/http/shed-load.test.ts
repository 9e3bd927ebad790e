import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Log } from '#infra/log';
import { type ManualClock, manualClock } from '#test/manual-clock';
import { openRawClient } from '#test/raw-client';
import { until } from '#test/until';
import { shedLoad } from './shed-load.ts';

/** More requests than are always admitted. */
const MANY = 140;
/** Longer than a burst. */
const STANDING_MS = 400;

let app: FastifyInstance;
let clock: ManualClock;
let registry: Registry;
let logged: string[];
let answer: () => void;
afterEach(() => {
  answer();
  return app.close();
});

/** A service that answers its requests when `answer` is called, and immediately from then on. */
async function start(): Promise<string> {
  clock = manualClock();
  registry = new Registry();
  logged = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  answer = resolve;
  const log = { warn: (_: object, sentence: string) => logged.push(sentence) } as unknown as Log;
  app = fastify({ forceCloseConnections: true });
  shedLoad(app, { clock, log, metrics: registry });
  const wait = async () => {
    await promise;
    return { done: true };
  };
  app.get('/work', wait);
  app.post('/work', wait);
  app.get('/events', { config: { mayWait: true } }, wait);
  app.get('/probe', { config: { isAlwaysAdmitted: true } }, async () => ({ alive: true }));
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const inProgress = async () =>
  Number(
    /in_progress (\d+)/.exec(
      await registry.getSingleMetricAsString('tradeline_http_requests_in_progress'),
    )?.[1],
  );
const shed = async () =>
  Number(
    /shed_total (\d+)/.exec(
      await registry.getSingleMetricAsString('tradeline_http_requests_shed_total'),
    )?.[1],
  );
const connections = () =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
const statusOf = async (url: string) => (await app.inject(url)).statusCode;

/** Sends `count` requests, none of which is answered yet. The result waits for the statuses of their answers. */
async function begin(url: string, count = MANY): Promise<() => Promise<number[]>> {
  const statuses = Promise.all(Array.from({ length: count }, () => statusOf(url)));
  if (url === '/work') await until(async () => (await inProgress()) >= count);
  return () => statuses;
}

describe('load shedding', () => {
  it('refuses the newest, counts them, and lets those in progress finish', async () => {
    await start();
    const begun = await begin('/work');
    clock.advance(STANDING_MS);
    expect([await statusOf('/work'), await statusOf('/work')]).toEqual([503, 503]);
    expect([await inProgress(), await shed()]).toEqual([MANY, 2]);
    answer();
    expect(new Set(await begun())).toEqual(new Set([200]));
    expect(await statusOf('/work')).toBe(200);
    expect([await inProgress(), await shed()]).toEqual([0, 2]);
  });

  it('logs an episode once, and the next one again', async () => {
    await start();
    await begin('/work');
    clock.advance(STANDING_MS);
    for (let seconds = 0; seconds < 30; seconds++) {
      expect(await statusOf('/work')).toBe(503);
      clock.advance(1_000);
    }
    expect(logged).toEqual(['overloaded: the newest requests are refused with 503']);
    clock.advance(10_000);
    expect(await statusOf('/work')).toBe(503);
    expect(logged).toHaveLength(2);
  });

  it('refuses no probe and no long poll', async () => {
    await start();
    await begin('/work');
    clock.advance(STANDING_MS);
    expect(await statusOf('/probe')).toBe(200);
    const poll = statusOf('/events?wait=30');
    expect(await statusOf('/events')).toBe(503);
    answer();
    expect(await poll).toBe(200);
  });

  it('does not count long polls as work', async () => {
    await start();
    await begin('/events?wait=30', 2 * MANY);
    clock.advance(STANDING_MS);
    const begun = await begin('/work', 1);
    expect([await inProgress(), await shed()]).toEqual([1, 0]);
    answer();
    expect(await begun()).toEqual([200]);
  });

  it('does not count a request while its body arrives', async () => {
    const baseUrl = await start();
    let arrived = 0;
    app.server.on('request', () => arrived++);
    const clients = await Promise.all(Array.from({ length: MANY }, () => openRawClient(baseUrl)));
    for (const client of clients)
      client.send(
        'POST /work HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
      );
    await until(() => arrived === MANY);
    clock.advance(STANDING_MS);
    expect(await inProgress()).toBe(0);
    for (const client of clients) client.send('}');
    await until(async () => (await inProgress()) === MANY);
    clock.advance(STANDING_MS);
    expect(await statusOf('/work')).toBe(503);
    for (const client of clients) client.close();
  });

  it('counts the work of a client that has gone until it is done', async () => {
    const baseUrl = await start();
    const clients = await Promise.all(Array.from({ length: MANY }, () => openRawClient(baseUrl)));
    for (const client of clients) client.send('GET /work HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(async () => (await inProgress()) === MANY);
    for (const client of clients) client.close();
    await until(async () => (await connections()) === 0);
    clock.advance(STANDING_MS);
    expect(await statusOf('/work')).toBe(503);
    answer();
    await until(async () => (await inProgress()) === 0);
    expect(await statusOf('/work')).toBe(200);
  });
});
