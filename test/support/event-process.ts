/**
 * A process that causes events at a steady pace and receives them, for tests that measure how soon they arrive. It is small, so that its
 * own garbage collections take a few milliseconds. It reports the address of its receivers, and then takes one job after the other.
 */
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface EventsJob {
  /** Of the program. */
  baseUrl: string;
  /** The subscriptions that get one test event each, in turn. Their receivers are the paths of the reported address: `/0`, `/1` … */
  subscribed: { key: string; type: string }[];
  count: number;
  perSecond: number;
}

/** The milliseconds from each request to the arrival of its event. */
export type EventsMeasured = number[];

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
/** The instants of the requests of the current job by receiver, each with one entry for each turn. */
let sentAtMs: number[][] = [];
let arrivedAfterMs: number[] = [];
let onLast = () => {};

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const receiver = Number(request.url?.slice(1));
    arrivedAfterMs.push(performance.now() - (sentAtMs[receiver]?.shift() as number));
    onLast();
    response.end();
  });
});

/** Events of one receiver arrive in their order, because there are seconds between them. */
process.on('message', async ({ baseUrl, subscribed, count, perSecond }: EventsJob) => {
  sentAtMs = subscribed.map(() => []);
  arrivedAfterMs = [];
  const all = new Promise<void>((resolve) => {
    onLast = () => arrivedAfterMs.length === count && resolve();
  });
  const startedAtMs = performance.now();
  for (let nth = 0; nth < count; nth++) {
    await sleep(Math.max(0, startedAtMs + (nth * 1_000) / perSecond - performance.now()));
    const receiver = nth % subscribed.length;
    const { key, type } = subscribed[receiver] as EventsJob['subscribed'][number];
    sentAtMs[receiver]?.push(performance.now());
    send(`${baseUrl}/v1/webhooks/${type}/test`, {
      ...{ agent, method: 'POST', headers: { authorization: `Bearer ${key}` } },
    })
      .on('response', (response) => {
        if (response.statusCode !== 200) throw new Error(`A test event was answered ${response.statusCode}.`);
        response.resume();
      })
      .end();
  }
  await all;
  process.send?.(arrivedAfterMs satisfies EventsMeasured);
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
