/** P8: how long do a start to the first answer, a refused second start and a stop take? */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { type Limit, limit, limitNotes, timed, waitUntil } from './support/limits.ts';
import { median } from './support/measure.ts';
import { type Program, startProgram, startSecondProgram, temporaryFolder } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const NEXT_START_BAR_MS = 2_000;

export const start: Question = { name: 'start', run };

const newLimits = () => ({
  nextStart: limit('Next start of the program, to its first answer', NEXT_START_BAR_MS),
  firstPostgres: limit('First start of the embedded PostgreSQL alone', 5_000),
  nextPostgres: limit('Next start of the embedded PostgreSQL alone', 1_000),
  refusal: limit('Second start on a data folder in use, refused', 1_000),
  idleStop: limit('Stop of an idle program on SIGTERM', 5_000),
  deliveryStop: limit('Stop while a webhook receiver has not answered', 5_000),
  requestStop: limit('Stop while a client has not finished its request, which has 5 s to end', 7_500),
});
type Limits = ReturnType<typeof newLimits>;

async function run(bench: Bench): Promise<Finding> {
  const { rounds, progress } = bench;
  const limits = newLimits();
  const firstStartMs = bench.program.firstAnswerMs;
  await bench.program.end('SIGTERM');
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    await startPostgres(bench, limits);
    await startAndStop(bench, limits);
  }
  return findingOf(limits, firstStartMs);
}

async function startPostgres({ started }: Bench, { firstPostgres, nextPostgres }: Limits): Promise<void> {
  const dataDir = join(temporaryFolder(started), 'data');
  for (const each of [firstPostgres, nextPostgres]) {
    const starting = timed(each, () => startEmbeddedPostgres({ dataDir, report: () => {} }));
    const stop = async () => (await starting).stop();
    started.defer(stop);
    await stop();
  }
}

async function startAndStop(bench: Bench, limits: Limits): Promise<void> {
  const idle = await startAgain(bench, limits);
  const code = await timed(limits.refusal, () => startSecondProgram(idle.dataDir, bench.started));
  if (code !== 1) throw new Error(`The second start ended with ${code}.`);
  await timed(limits.idleStop, () => idle.end('SIGTERM'));

  const delivering = await startAgain(bench, limits);
  await using receiver = await startSilentReceiver();
  await delivering.send('POST', '/v1/webhooks', { type: 'WEBHOOK', url: receiver.url });
  await delivering.send('POST', '/v1/webhooks/WEBHOOK/test');
  await waitUntil('the webhook', () => receiver.hasRequest());
  await timed(limits.deliveryStop, () => delivering.end('SIGTERM'));

  const requested = await startAgain(bench, limits);
  await requested.send('DELETE', '/v1/webhooks/WEBHOOK/unsubscribe');
  const client = await beginRequest(requested);
  await timed(limits.requestStop, () => requested.end('SIGTERM'));
  client.destroy();
}

async function startAgain({ program, started }: Bench, { nextStart }: Limits): Promise<Program> {
  const again = await startProgram({ started, profileFolder: null, dataDir: program.dataDir });
  nextStart.tookMs.push(again.firstAnswerMs);
  return again;
}

/** A receiver that reads requests and never answers. */
async function startSilentReceiver(): Promise<AsyncDisposable & { url: string; hasRequest(): boolean }> {
  const sockets = new Set<Socket>();
  let hasRequest = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      hasRequest = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    hasRequest: () => hasRequest,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Sends the head of a request and the first byte of its body. */
async function beginRequest({ baseUrl, apiKey, send }: Program): Promise<Socket> {
  const { hostname, port, host } = new URL(baseUrl);
  const client = connect(Number(port), hostname);
  client.on('error', () => {});
  client.resume();
  await once(client, 'connect');
  const head = `POST /v1/buyers HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${apiKey}\r\n`;
  client.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  // A later request was answered: the program has read the earlier one.
  await send('GET', '/v1/platform');
  return client;
}

function findingOf(limits: Limits, firstStartMs: number): Finding {
  const rateOf = ({ tookMs }: Limit) => 1_000 / median(tookMs);
  const starts = limits.nextStart.tookMs;
  const perRound = starts.length / limits.nextPostgres.tookMs.length;
  const ratios = starts.map(
    (ms, nth) => (limits.nextPostgres.tookMs[Math.floor(nth / perRound)] as number) / ms,
  );
  return {
    id: 'P8',
    what: 'next start, to the first answer',
    rate: rateOf(limits.nextStart),
    baseline: 'next start of the embedded PostgreSQL alone',
    baselineRate: rateOf(limits.nextPostgres),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≤ ${NEXT_START_BAR_MS / 1_000} s`,
    p50Ms: median(starts),
    p99Ms: Math.max(...starts),
    notes: [
      `The rates are 1 / median duration; p99 is the longest of ${starts.length} starts. The ratio is the share of a start that PostgreSQL takes.`,
      ...limitNotes(Object.values(limits)),
      `The first start on an empty folder answered after ${(firstStartMs / 1_000).toFixed(2)} s.`,
    ],
  };
}
