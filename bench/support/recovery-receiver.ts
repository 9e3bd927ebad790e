/** Endpoints that answer 200 at once, in a process of their own: they note when live events arrive, and count recovered ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerJobs } from './part.ts';
import type { Tally } from './webhook-receiver.ts';

export type RecoveryReceiverJob =
  /** Answers the origin. */
  | { kind: 'listen' }
  /** Answers the live events that arrived since the last time. */
  | { kind: 'arrivals' }
  /** Answers what came so far of the events that are not live. */
  | { kind: 'tally' };

/** A live event: its resource has an external_id with this prefix. */
export const LIVE_PREFIX = 'live-';

export interface Arrival {
  path: string;
  externalId: string;
  /** Of the first byte, in Unix milliseconds. */
  atMs: number;
}

export interface RecoveryTally extends Tally {
  /** Requests of the event that came most often. */
  mostOfOne: number;
}

const arrivals: Arrival[] = [];
let requests = 0;
const events = new Set<string>();
/** Requests of the events that came more than once. */
const repeated = new Map<string, number>();
let mostOfOne = 1;

async function work({ kind }: RecoveryReceiverJob): Promise<string | Arrival[] | RecoveryTally> {
  if (kind === 'listen') return listen();
  if (kind === 'tally') return { requests, events: events.size, mostOfOne };
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
      count(String(request.headers['webhook-id']));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function count(id: string): void {
  if (!events.has(id)) return void events.add(id);
  const times = (repeated.get(id) ?? 1) + 1;
  repeated.set(id, times);
  mostOfOne = Math.max(mostOfOne, times);
}

if (import.meta.main) answerJobs(work);
