/** A process that sends requests at a fixed rate, whether or not earlier ones have been answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection } from './http-connection.ts';
import { filler, type Ids } from './ids.ts';
import { answerJobs } from './part.ts';

export interface PacedRequest {
  method: 'GET' | 'POST';
  /** `{id}` and the other names of `ids`, here and in the body, are replaced by the next id in each request. */
  path: string;
  body?: string;
  ids: Ids<'id'>;
  status: number;
}

export interface Pace {
  perSecond: number;
  durationMs: number;
}

export interface PacedJob {
  baseUrl: string;
  apiKey: string;
  /** Sent in turn. */
  requests: PacedRequest[];
  /** One after the other, without a pause. */
  paces: Pace[];
  /** Opened before the first request is due. A request waits if all are in use. 64 by default. */
  connections?: number;
  /** A 503 with `Retry-After` is an answer too. Any other status than that of the request is an error. */
  mayBeShed?: true;
}

/** The lists have one entry for each request, in the order in which they were due. */
export interface PacedMeasurement {
  /** The time from the instant at which the request was due to its complete answer. */
  tookMs: number[];
  /** When it was due, from the start of the job. */
  dueMs: number[];
  isShed: boolean[];
  /** Share of one core that this process used. */
  busyShare: number;
}

const CONNECTIONS = 64;
const OPENED_AT_ONCE = 32;
const LOOK_MS = 1;

async function load(job: PacedJob): Promise<PacedMeasurement> {
  const { baseUrl, connections: count = CONNECTIONS, mayBeShed = false } = job;
  const dueMs = dueTimes(job.paces);
  const requests = job.requests.map((request) => ({ ...request, textOf: textMaker(job, request) }));
  const connections = await openConnections(baseUrl, count);
  const tookMs = new Array<number>(dueMs.length);
  const isShed = new Array<boolean>(dueMs.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const sendOne = async (nth: number) => {
    const request = requests[nth % requests.length] as (typeof requests)[number];
    const connection = await connections.take();
    const text = request.textOf(Math.floor(nth / requests.length));
    const { status, head, body } = await connection.send(text);
    tookMs[nth] = performance.now() - startedAt - (dueMs[nth] as number);
    connections.giveBack(connection);
    isShed[nth] = mayBeShed && status === 503 && /\r\nretry-after: *[1-9]/i.test(head);
    if (status !== request.status && !isShed[nth])
      throw new Error(`${text.slice(0, text.indexOf('\r\n'))} answered ${head}\n${body}`);
  };
  const sending: Promise<void>[] = [];
  const failure = Promise.withResolvers<never>();
  try {
    while (sending.length < dueMs.length) {
      const nowMs = performance.now() - startedAt;
      while (sending.length < dueMs.length && (dueMs[sending.length] as number) <= nowMs) {
        const sent = sendOne(sending.length);
        sent.catch(failure.reject);
        sending.push(sent);
      }
      await Promise.race([sleep(LOOK_MS), failure.promise]);
    }
    await Promise.race([Promise.all(sending), failure.promise]);
    const { user, system } = process.cpuUsage(cpuBefore);
    return { tookMs, dueMs, isShed, busyShare: (user + system) / 1_000 / (performance.now() - startedAt) };
  } finally {
    connections.close();
  }
}

function dueTimes(paces: readonly Pace[]): number[] {
  let fromMs = 0;
  return paces.flatMap(({ perSecond, durationMs }) => {
    const firstMs = fromMs;
    fromMs += durationMs;
    const count = Math.floor((durationMs / 1_000) * perSecond);
    return Array.from({ length: count }, (_, nth) => firstMs + (nth * 1_000) / perSecond);
  });
}

function textMaker(
  { baseUrl, apiKey }: PacedJob,
  { method, path, body = '', ids }: PacedRequest,
): (number: number) => string {
  const bodyOf = filler(body, ids);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(baseUrl).host}`,
    `Authorization: Bearer ${apiKey}`,
    ...(body === ''
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(bodyOf(0))}`]),
  ];
  return filler(`${head.join('\r\n')}\r\n\r\n${body}`, ids);
}

/** Opens connections that carry one request at a time. A connection that the server has closed is replaced. */
async function openConnections(baseUrl: string, count: number) {
  const opened = new Set<HttpConnection>();
  const idle: HttpConnection[] = [];
  const waiting: ((connection: HttpConnection) => void)[] = [];
  const open = async () => {
    const connection = await HttpConnection.open(baseUrl);
    opened.add(connection);
    // The server closes a connection that receives no request within 5 s, but keeps one that has had an answer.
    await connection.send(`GET /healthz HTTP/1.1\r\nHost: ${new URL(baseUrl).host}\r\n\r\n`);
    return connection;
  };
  while (idle.length < count)
    idle.push(
      ...(await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, count - idle.length) }, open))),
    );
  return {
    async take(): Promise<HttpConnection> {
      const connection = idle.pop();
      if (!connection) return new Promise((resolve) => waiting.push(resolve));
      if (connection.isOpen) return connection;
      opened.delete(connection);
      return open();
    },
    giveBack(connection: HttpConnection) {
      const next = waiting.shift();
      if (next) next(connection);
      else idle.push(connection);
    },
    close() {
      for (const connection of opened) connection.close();
    },
  };
}

if (import.meta.main) answerJobs(load);
