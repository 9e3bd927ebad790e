/** Endpoints that answer 200 at once, in a process of their own, and a bare loop that posts to them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { answerJobs } from './part.ts';

export type ReceiverJob =
  /** Answers the URL. */
  | { kind: 'listen' }
  /** Waits for so many requests since the last job; answers when they came. */
  | { kind: 'receive'; count: number };

export interface Received {
  /** The external_id of the event's resource, where the body has one. */
  externalId: string | null;
  /** Of the first byte, in Unix milliseconds. */
  atMs: number;
}

let received: Received[] = [];
let onReceived = () => {};

async function work(job: ReceiverJob): Promise<string | Received[]> {
  if (job.kind === 'listen') return listen();
  received = [];
  while (received.length < job.count)
    await new Promise<void>((resolve) => {
      onReceived = resolve;
    });
  return received;
}

async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const body = await text(request);
    response.end();
    const externalId = /"external_id":"([^"]+)"/.exec(body)?.[1] ?? null;
    received.push({ externalId, atMs });
    onReceived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Posts a body so many times over so many connections, and answers how many seconds it took. */
export async function postBare(
  url: string,
  {
    body,
    headers,
    count,
    connections,
  }: { body: string; headers: Record<string, string>; count: number; connections: number },
): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections });
  let left = count;
  const startedAtMs = performance.now();
  const loop = async () => {
    while (left-- > 0) {
      const answer = await pool.request({ method: 'POST', path: '/', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  await pool.close();
  return (performance.now() - startedAtMs) / 1_000;
}

if (import.meta.main) answerJobs(work);
