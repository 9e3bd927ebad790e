/** A webhook receiver on a real socket, as an integrator would write one. It stores requests and answers as configured. */
import { createServer as createHttpServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { patience } from './patience.ts';
import { waitingFor } from './until.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: an event is whatever the test expects it to be.
  event: any;
  /** t of the signature, unix seconds. */
  t: number;
  /** Every v1 of the signature. */
  digests: string[];
  path: string;
  /** When its last byte arrived, by `performance.now`. */
  atMs: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the statuses of the next answers, in order; after them 200. */
  answerNext(...statuses: number[]): void;
  /** Resolves when at least `count` requests (that fit) have arrived; rejects after `patience`. */
  waitFor(count: number, fits?: (received: Received) => boolean): Promise<Received[]>;
  close(): Promise<void>;
}

/** On an idle reference machine. */
const WAIT_SECONDS_MAX = 10;

interface Certificate {
  key: string;
  cert: string;
}

/** With `answerAfterMs` it answers late, so that attempts stay in progress. */
export async function startReceiver(tls?: Certificate, { answerAfterMs = 0 } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const statuses: number[] = [];
  let onArrival: (() => void)[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      // Another test may still call an earlier receiver on this port.
      const event = eventOf(raw);
      if (event === undefined) return void response.writeHead(400).end();
      const parts = String(request.headers['service-signature'] ?? '')
        .split(',')
        .map((part) => part.split('='));
      received.push({
        headers: request.headers,
        raw,
        event,
        t: Number(parts.find(([name]) => name === 't')?.[1]),
        digests: parts.filter(([name]) => name === 'v1').map(([, digest]) => digest ?? ''),
        path: request.url ?? '',
        atMs: performance.now(),
      });
      const status = statuses.shift() ?? 200;
      if (answerAfterMs === 0) response.writeHead(status).end();
      else setTimeout(() => response.writeHead(status).end(), answerAfterMs);
      for (const notify of onArrival) notify();
    });
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: tls ? `https://localhost:${port}/hooks` : `http://127.0.0.1:${port}/hooks`,
    received,
    answerNext: (...next) => void statuses.push(...next),
    waitFor: (count, fits = () => true) =>
      waitingFor(
        `${count} webhooks that fit ${fits}`,
        () =>
          new Promise((resolve, reject) => {
            const limitMs = patience(WAIT_SECONDS_MAX);
            const timer = setTimeout(() => {
              reject(
                new Error(
                  `${received.filter(fits).length} of ${count} expected webhooks came within ${limitMs} ms`,
                ),
              );
            }, limitMs);
            const check = () => {
              const fitting = received.filter(fits);
              if (fitting.length < count) return;
              clearTimeout(timer);
              onArrival = onArrival.filter((notify) => notify !== check);
              resolve(fitting);
            };
            onArrival.push(check);
            check();
          }),
      ),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function eventOf(raw: string): Received['event'] | undefined {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
