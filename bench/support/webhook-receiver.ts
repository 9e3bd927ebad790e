/** Endpoints that answer 200 at once, in a process of their own, and a bare loop that posts to them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { answerJobs } from './part.ts';

export type ReceiverJob =
  /** Answers so many URLs, each with a port of its own. */
  | { kind: 'listen'; count: number }
  /** Waits for so many requests since the last job; answers when they came. */
  | { kind: 'receive'; count: number }
  /** Answers what came since the last tally, without the bare loop's. */
  | { kind: 'tally' };

/** Of all requests of the bare loop. */
export const BARE_ID = '00000000-0000-4000-8000-000000000000';

export interface Received {
  /** The external_id of the event's resource, where the body has one. */
  externalId: string | null;
  /** Of the first byte, in Unix milliseconds. */
  atMs: number;
}

/** How often webhooks came. The database cannot show it: it has one row for two requests of the same attempt. */
export interface Tally {
  requests: number;
  /** Different ids. */
  events: number;
}

let received: Received[] = [];
let onReceived = () => {};
/** Collected as they come, and counted after the rounds: the speed of these receivers is part of what is measured. */
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
    // Without the object of all headers, which Node makes when it is read.
    const id = request.rawHeaders[request.rawHeaders.indexOf('webhook-id') + 1] as string;
    if (id !== BARE_ID) ids.push(id);
    onReceived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Posts a body so many times over so many connections, to the URLs in turn, and answers how many seconds it took. */
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
