/**
 * P5 and P6: how fast are webhooks delivered, compared with a bare loop, and how long after its cause does an event arrive? In one
 * process, in one for requests and one for background work, and with two workers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from './support/measure.ts';
import { type Program, startProgram, startWorkerProcess } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import { postBare, type Tally } from './support/webhook-receiver.ts';
import {
  type Delivered,
  MASTER_KEY_SETTING,
  PLATFORMS,
  SUBSCRIPTIONS_EACH,
  startWebhookLoad,
  type WebhookLoad,
} from './support/webhooks.ts';

const RATIO_BAR = 0.6;
const ARRIVAL_BAR_MS = 100;
/** The bar for a worker in another process to notice a commit. */
const WAKE_BAR_MS = 20;
/** The connections of the loop. A worker has four times as many slots, but uses no connection while it records an attempt. */
const CONNECTIONS = 64;
/** About the delivery rate, so that a round takes about the intended time. */
const DELIVERIES_A_SECOND = 4_000;
const EVENTS_A_SECOND = 100;

export const deliverWebhooks: Question = { name: 'deliver-webhooks', run };

/** The measurements of one arrangement of processes. */
interface Measured {
  rounds: (Delivered & { bare: number })[];
  arrivals: Arrivals;
  tally: Tally;
}

/** The arrival of the first byte of each event, in milliseconds. */
interface Arrivals {
  afterRequest: number[];
  /** Negative if the event arrives before the answer, which is sent after the commit. */
  afterAnswer: number[];
}

interface MeasuredApart extends Measured {
  twoWorkers: Delivered[];
  ofTwoWorkers: Tally;
}

async function run(bench: Bench): Promise<Finding> {
  await bench.program.end('SIGTERM');
  const together = await measureTogether(bench);
  const apart = await measureApart(bench);
  return findingOf(together, apart);
}

async function measureTogether(bench: Bench): Promise<Measured> {
  await using started = new AsyncDisposableStack();
  bench.started.use(started);
  const program = await startProgram({
    started,
    profileFolder: null,
    settings: MASTER_KEY_SETTING,
  });
  const load = await startWebhookLoad(program, started, [program.pid]);
  return await measureDelivery(bench, { program, load, name: 'one process' });
}

/** A second worker joins at the end, to show how many more are delivered, and whether any arrives twice. */
async function measureApart(bench: Bench): Promise<MeasuredApart> {
  await using started = new AsyncDisposableStack();
  bench.started.use(started);
  const settings = { ...MASTER_KEY_SETTING, TRADELINE_WORKER: 'off' };
  const program = await startProgram({ started, profileFolder: null, settings });
  const startWorker = () => startWorkerProcess(program, started, MASTER_KEY_SETTING);
  const workers = [await startWorker()];
  const load = await startWebhookLoad(program, started, workers);
  const measured = await measureDelivery(bench, { program, load, name: 'two processes' });
  workers.push(await startWorker());
  await load.deliver(countOf(bench.warmUpMs));
  const twoWorkers: Delivered[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    bench.progress(`two workers: round ${round} of ${bench.rounds}`);
    twoWorkers.push(await load.deliver(countOf(bench.roundMs)));
  }
  return { ...measured, twoWorkers, ofTwoWorkers: await load.tally() };
}

const countOf = (ms: number) => Math.ceil((ms / 1_000) * DELIVERIES_A_SECOND);

interface Arrangement {
  program: Program;
  load: WebhookLoad;
  name: string;
}

async function measureDelivery(
  { rounds, roundMs, warmUpMs, progress }: Bench,
  { program, load, name }: Arrangement,
): Promise<Measured> {
  progress(`${name}: warming up`);
  // Its event is the example of all deliveries.
  await program.send('POST', '/v1/buyers', { external_id: 'example', ...COMPANY });
  const example = await load.example();
  const bare = async (count: number) => {
    const arrived = load.receive(count);
    const seconds = await postBare(load.urls, { ...example, count, connections: CONNECTIONS });
    await arrived;
    return count / seconds;
  };
  await load.deliver(countOf(warmUpMs));
  await bare(countOf(warmUpMs));
  const done: Measured['rounds'] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`${name}: round ${round} of ${rounds}`);
    const count = countOf(roundMs);
    done.push({ bare: await bare(count), ...(await load.deliver(count)) });
  }
  progress(`${name}: ${EVENTS_A_SECOND} events a second`);
  await program.send('POST', '/v1/webhooks', { type: 'BUYER.CREATED', url: load.urls[0] });
  await measureArrivals(program, load, { prefix: 'first', durationMs: warmUpMs });
  const arrivals = await measureArrivals(program, load, { prefix: 'then', durationMs: rounds * roundMs });
  return { rounds: done, arrivals, tally: await load.tally() };
}

/** Measures the time from the request that causes each event, and from its answer, to the first byte of the event. */
async function measureArrivals(
  program: Program,
  load: WebhookLoad,
  { prefix, durationMs }: { prefix: string; durationMs: number },
): Promise<Arrivals> {
  const count = Math.round((durationMs / 1_000) * EVENTS_A_SECOND);
  const arrived = load.receive(count);
  const nowMs = () => performance.timeOrigin + performance.now();
  const sentAtMs = new Map<string, number>();
  const answeredAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  const requests = Array.from({ length: count }, async (_, nth) => {
    await sleep(Math.max(0, startedAtMs + (nth * 1_000) / EVENTS_A_SECOND - performance.now()));
    const external_id = `${prefix}-${nth}`;
    sentAtMs.set(external_id, nowMs());
    await program.send('POST', '/v1/buyers', { external_id, ...COMPANY });
    answeredAtMs.set(external_id, nowMs());
  });
  await Promise.all(requests);
  const events = await arrived;
  const after = (times: ReadonlyMap<string, number>) =>
    events.map(({ externalId, atMs }) => atMs - (times.get(externalId ?? '') ?? Number.NaN));
  return { afterRequest: after(sentAtMs), afterAnswer: after(answeredAtMs) };
}

const COMPANY = {
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
  business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
};

const ratiosOf = ({ rounds }: Measured) => rounds.map(({ perSecond, bare }) => perSecond / bare);
const rateOf = (rounds: readonly Delivered[]) => median(rounds.map(({ perSecond }) => perSecond));

function findingOf(together: Measured, apart: MeasuredApart): Finding {
  const ratios = ratiosOf(together);
  return {
    id: 'P5',
    what: `webhook deliveries of ${PLATFORMS * SUBSCRIPTIONS_EACH} subscriptions, in one process`,
    rate: rateOf(together.rounds),
    baseline: `the same bodies from a bare loop over ${CONNECTIONS} connections`,
    baselineRate: median(together.rounds.map(({ bare }) => bare)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `≥ ${RATIO_BAR}`,
    p50Ms: percentile(together.arrivals.afterRequest, 0.5),
    p99Ms: percentile(together.arrivals.afterRequest, 0.99),
    notes: [
      'Each delivery is claimed, signed, sent and recorded. The receivers are a process of their own, the same for both. Subscriptions, origins and platforms have more slots than a worker. The events are written and numbered before, and a notice wakes the workers, as after a commit.',
      `In one process: ${costText(together.rounds)}.`,
      `With one process for requests and one for background work: ${median(ratiosOf(apart)).toFixed(2)} of the bare loop, ${costText(apart.rounds)}.`,
      `Two workers: ${(rateOf(apart.twoWorkers) / rateOf(apart.rounds)).toFixed(2)} times one, ${costText(apart.twoWorkers)}. They share the cores with PostgreSQL and the receivers.`,
      onceNote('in one process', together.tally),
      onceNote('with two processes', apart.tally),
      onceNote('by two workers', apart.ofTwoWorkers),
      arrivalNote('in one process', together.arrivals),
      arrivalNote('with two processes', apart.arrivals),
      wakeNote(apart.arrivals),
    ],
  };
}

function costText(rounds: readonly Delivered[]): string {
  const us = (of: (round: Delivered) => number) => `${median(rounds.map(of)).toFixed(0)} µs`;
  return `${(rateOf(rounds) / 1_000).toFixed(1)} k/s; processor time of a delivery: ${us((round) => round.workersUs)} of Node, ${us((round) => round.postgresUs)} of PostgreSQL`;
}

const shown = (values: readonly number[]) =>
  `${percentile(values, 0.5).toFixed(1)} ms (p50) and ${percentile(values, 0.99).toFixed(1)} ms (p99)`;

function onceNote(where: string, { requests, events }: Tally): string {
  return `The receivers got ${requests.toLocaleString('en')} requests for ${events.toLocaleString('en')} events ${where}; the bar of one request for each is ${requests === events ? 'met' : 'missed'}.`;
}

function arrivalNote(where: string, { afterRequest }: Arrivals): string {
  const isMet = percentile(afterRequest, 0.99) <= ARRIVAL_BAR_MS;
  return `P6 ${where}: ${EVENTS_A_SECOND} events a second, each caused by a request: the first byte reached the receiver ${shown(afterRequest)} after the request was sent; the bar of ${ARRIVAL_BAR_MS} ms after the commit is ${isMet ? 'met' : 'not shown by this'}.`;
}

function wakeNote({ afterAnswer }: Arrivals): string {
  const isMet = percentile(afterAnswer, 0.99) <= WAKE_BAR_MS;
  return `A commit wakes the worker of another process: the first byte reached the receiver ${shown(afterAnswer)} after the answer to the request; the bar of ${WAKE_BAR_MS} ms from the commit to the wake-up is ${isMet ? 'met' : 'not shown by this'}.`;
}
