/** Endpoints in a separate process that answer 200 immediately. They record when live events arrive, and count recovered ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerJobs } from './part.ts';
import type { Tally } from './webhook-receiver.ts';

export type RecoveryReceiverJob =
  /** Returns the origin. */
  | { kind: 'listen' }
  /** Returns the live events that have arrived since the last call. */
  | { kind: 'arrivals' }
  /** Returns the counts of events, except live ones, so far. */
  | { kind: 'tally' };

/** A live event has a resource whose external_id has this prefix. */
export const LIVE_PREFIX = 'live-';

export interface Arrival {
  path: string;
  externalId: string;
  /** The arrival of the first byte, in Unix milliseconds. */
  atMs: number;
}

export interface RecoveryTally extends Tally {
  /** The number of requests of the event that arrived most often. */
  mostOfOne: number;
}

const arrivals: Arrival[] = [];
let requests = 0;
const events = new Set<string>();
/** The numbers of requests of events that arrived more than once. */
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
