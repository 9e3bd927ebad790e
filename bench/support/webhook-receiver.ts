/** Endpoints in a separate process that answer 200 immediately, and a bare loop that posts to them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { answerJobs } from './part.ts';

export type ReceiverJob =
  /** Returns `count` URLs, each with its own port. */
  | { kind: 'listen'; count: number }
  /** Waits for `count` requests since the last job; returns when they arrived. */
  | { kind: 'receive'; count: number }
  /** Returns what has arrived since the last tally, without the requests of the bare loop. */
  | { kind: 'tally' };

/** The id of all requests of the bare loop. */
export const BARE_ID = '00000000-0000-4000-8000-000000000000';

export interface Received {
  /** The external_id of the event's resource, if the body has one. */
  externalId: string | null;
  /** The arrival of the first byte, in Unix milliseconds. */
  atMs: number;
}

/** How often webhooks arrived. The database cannot show this, because two requests of one attempt have one row. */
export interface Tally {
  requests: number;
  /** The number of distinct ids. */
  events: number;
}

let received: Received[] = [];
let onReceived = () => {};
/** Collected on arrival and counted after the rounds, because the speed of these receivers affects the measurement. */
let ids: string[] = [];

async function work(job: ReceiverJob): Promise<string[] | Received[] | Tally> {
  if (job.kind === 'listen') return Promise.all(Array.from({ length: job.count }, listen));
  if (job.kind === 'tally') return tally();
  received = [];
  while (received.length < job.count)
    await new Promise<void>((resolve) => {
      onReceived = resolve;
    });
  return received;
}

function tally(): Tally {
  const counted = { requests: ids.length, events: new Set(ids).size };
  ids = [];
  return counted;
}

async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const body = await text(request);
    response.end();
    const externalId = /"external_id":"([^"]+)"/.exec(body)?.[1] ?? null;
    received.push({ externalId, atMs });
    // Avoids the object of all headers, which Node builds when it is read.
    const id = request.rawHeaders[request.rawHeaders.indexOf('webhook-id') + 1] as string;
    if (id !== BARE_ID) ids.push(id);
    onReceived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Posts a body `count` times over the given number of connections, to the URLs in turn. Returns the seconds that it took. */
export async function postBare(
  urls: readonly string[],
  {
    body,
    headers,
    count,
    connections,
  }: { body: string; headers: Record<string, string>; count: number; connections: number },
): Promise<number> {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(connections / urls.length) }));
  let left = count;
  const startedAtMs = performance.now();
  const loop = async (_: unknown, nth: number) => {
    const pool = pools[nth % pools.length] as Pool;
    while (left-- > 0) {
      const answer = await pool.request({ method: 'POST', path: '/', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await Promise.all(pools.map((pool) => pool.close()));
  return seconds;
}

if (import.meta.main) answerJobs(work);
