import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#http/server';
import { createLog } from '#infra/log';
import { expectProblem } from '#test/problem';
import { openRawClient, type RawClient } from '#test/raw-client';
import { createWorld, type World } from '#test/world';

/** A long run: SLOW_CONNECTIONS=4000. */
const SLOW_CONNECTIONS = Number(process.env.SLOW_CONNECTIONS ?? 200);
const isLongRun = process.env.SLOW_CONNECTIONS !== undefined;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('a client that sends its headers too slowly', () => {
  const start = 'GET /v1/platform HTTP/1.1\r\nHost: tradeline.example\r\n';
  const whole = () => `${start}Authorization: Bearer ${world.apiKey}\r\n\r\n`;

  async function slowClient(bytes: string, drip = ''): Promise<{ client: RawClient; afterMs: number }> {
    const client = await openRawClient(world.baseUrl);
    const openedAt = performance.now();
    client.send(bytes);
    const dripping = drip && setInterval(() => client.send(drip), 200);
    await client.waitFor(() => client.isEnded);
    if (dripping) clearInterval(dripping);
    return { client, afterMs: performance.now() - openedAt };
  }

  /** The time in milliseconds that a well-behaved client waits for each response, until `isOver`. */
  async function answerTimes(isOver: () => boolean): Promise<number[]> {
    const times: number[] = [];
    while (!isOver()) {
      const sentAt = performance.now();
      expect((await world.get('/v1/platform')).status).toBe(200);
      times.push(performance.now() - sentAt);
    }
    return times;
  }
  const quantile = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] as number;

  /** The real duration of a timer of 5 s on this machine: longer if it is busy. */
  async function fiveSeconds(): Promise<number> {
    const startedAt = performance.now();
    await sleep(5_000);
    return performance.now() - startedAt;
  }

  it('is cut off after 5 seconds, and slows no other client down', async () => {
    const patient = await openRawClient(world.baseUrl);
    patient.send(whole());
    await patient.waitFor(() => patient.answers().length === 1);
    let requested = 0;
    const alone = await answerTimes(() => ++requested > 300);
    const timer = fiveSeconds();
    const slow = Promise.all([
      slowClient(''),
      slowClient('GET /v1/pl'),
      slowClient(start),
      slowClient(`${start}X-Note: `, 'x'),
      slowClient(start, 'a: b\r\n'),
      slowClient(whole() + start),
      ...Array.from({ length: SLOW_CONNECTIONS }, () => slowClient(start)),
    ]);

    let isOver = false;
    const over = () => {
      isOver = true;
    };
    slow.then(over, over);
    const during = await answerTimes(() => isOver);
    const ended = await slow;
    expect(during.length).toBeGreaterThan(100);
    // When other tests run too, only the median is a measure of the server.
    expect(quantile(during, 0.5)).toBeLessThan(3 * quantile(alone, 0.5) + 5);
    if (isLongRun) expect(quantile(during, 0.99)).toBeLessThan(2 * quantile(alone, 0.99) + 100);

    for (const { client, afterMs } of ended) {
      expect(afterMs).toBeGreaterThan(4_500);
      expect(afterMs).toBeLessThan(1.6 * (await timer));
      const answer = client.answers().at(-1);
      expect(answer).toMatchObject({ status: 408 });
      expectProblem(answer as never, 'REQUEST_TIMEOUT');
      client.close();
    }
    expect(ended[5]?.client.answers().map(({ status }) => status)).toEqual([200, 408]);

    // A connection without a request waits longer for the next one than a request may take to arrive.
    patient.send(whole());
    await patient.waitFor(() => patient.answers().length === 2);
    expect(patient.answers()).toMatchObject([{ status: 200 }, { status: 200 }]);
    patient.close();
  });
});

describe('a server', () => {
  it('waits 5 s for headers and 15 s for a request, and takes a bounded number of connections', () => {
    const { server } = createServer({ routes: [], log: createLog('silent') } as never);
    expect(server).toMatchObject({
      headersTimeout: 5_000,
      requestTimeout: 15_000,
      maxConnections: 10_000,
    });
  });
});
