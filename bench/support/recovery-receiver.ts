/** Endpoints that answer 200 at once, in a process of their own: they note when live events arrive, and count recovered ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerJobs } from './part.ts';

export type RecoveryReceiverJob =
  /** Answers the origin. */
  | { kind: 'listen' }
  /** Answers the live events that arrived since the last time. */
  | { kind: 'arrivals' }
  | { kind: 'tally' };

/** A live event: its resource has an external_id with this prefix. */
export const LIVE_PREFIX = 'live-';

export interface Arrival {
  path: string;
  externalId: string;
  /** Of the first byte, in Unix milliseconds. */
  atMs: number;
}

/** Of the events that are not live. */
export interface Tally {
  requests: number;
  events: number;
}

const arrivals: Arrival[] = [];
let requests = 0;
const events = new Set<string>();

async function work({ kind }: RecoveryReceiverJob): Promise<string | Arrival[] | Tally> {
  if (kind === 'listen') return listen();
  if (kind === 'tally') return { requests, events: events.size };
  return arrivals.splice(0);
}

async function listen(): Promise<string> {
  const server = createServer(async (request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    const body = await text(request);
    response.end();
    const externalId = /"external_id":"([^"]+)"/.exec(body)?.[1] ?? '';
    if (externalId.startsWith(LIVE_PREFIX)) arrivals.push({ path: request.url ?? '', externalId, atMs });
    else {
      requests++;
      events.add(String(request.headers['webhook-id']));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (import.meta.main) answerJobs(work);
