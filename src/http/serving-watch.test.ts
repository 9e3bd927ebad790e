import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServingWatch, type ServingWatch } from './serving-watch.ts';

const LONG_MS = 60_000;

let elapsedMs: number;
let watch: ServingWatch;
let responses: ServerResponse[];
let stop: () => void;
/** Sends a request, which is in progress until its response ends. */
let request: () => Promise<ServerResponse>;

beforeEach(async () => {
  elapsedMs = 1_000;
  watch = createServingWatch({ elapsedMs: () => elapsedMs });
  responses = [];
  const server = createServer((_, response) => void responses.push(response));
  watch.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  request = async () => {
    const arrived = once(server, 'request');
    get({ port, agent: false }).on('error', () => {});
    await arrived;
    return responses.at(-1) as ServerResponse;
  };
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => stop());

const end = async (response: ServerResponse) => {
  const closed = once(response, 'close');
  response.end();
  await closed;
};

describe('Work gives way', () => {
  it('not at all without a request', async () => {
    expect(await watch.giveWay(LONG_MS)).toBe(0);
    await end(await request());
    expect(await watch.giveWay(LONG_MS)).toBe(0);
  });

  it('until all requests have their answers', async () => {
    const [first, second] = [await request(), await request()];
    let hasGone = false;
    const waited = watch.giveWay(LONG_MS).finally(() => {
      hasGone = true;
    });
    await end(first);
    expect(hasGone).toBe(false);
    elapsedMs += 7;
    await end(second);
    expect(await waited).toBe(7);
  });

  it('no longer than its patience', async () => {
    await request();
    await watch.giveWay(5);
  });

  it('not to a request that waits for something itself', async () => {
    await request();
    elapsedMs += 100;
    expect(await watch.giveWay(LONG_MS)).toBe(0);
  });

  it('also while such a request is in progress', async () => {
    await request();
    elapsedMs += 60;
    const second = await request();
    const waited = watch.giveWay(LONG_MS);
    elapsedMs += 60;
    await end(second);
    expect(await waited).toBe(60);
  });

  it('all pieces of work, one after the other', async () => {
    const response = await request();
    const order: number[] = [];
    const all = [1, 2, 3].map(async (nth) => {
      await watch.giveWay(LONG_MS);
      order.push(nth);
    });
    await end(response);
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3]);
  });
});
