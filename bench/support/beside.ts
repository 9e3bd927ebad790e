/** Requests at a steady rate during a long task, and the effect of the task on them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './measure.ts';
import { COMMENT, LINES, PARTIES } from './orders.ts';
import type { PacedJob, PacedMeasurement, PacedRequest } from './paced-load.ts';
import { startPart } from './part.ts';
import type { Bench, Finding } from './question.ts';

/** Half of them read an invoice, half create an order on credit. */
const REQUESTS_PER_SECOND = 40;
const WINDOW_MS = 5_000;
/** The number of windows before each run, each as long as a task: the p99 of fewer requests would be random. */
const WINDOWS_BEFORE = 8;
const ORDERS_MAX = 100_000;
/** The maximum p99, as a multiple of that without the task. */
const P99_MAX = 2;
const LOOK_EVERY_MS = 100;
/** A task that takes longer than this many bars has failed. */
const BARS_MAX = 10;

/** The durations of requests, in milliseconds. */
export interface Beside {
  without: number[];
  meanwhile: number[];
  /** The duration of the task; of several runs, the longest. */
  tookMs: number;
}

/** Measures the requests without the task and then while it runs, the given number of times. `invoice` is one that the requests read. */
export async function measureBeside(
  bench: Bench,
  invoice: string,
  task: (nth: number) => Promise<number>,
  times = 1,
): Promise<Beside> {
  const load = paced(bench, invoice);
  const beside: Beside = { without: [], meanwhile: [], tookMs: 0 };
  for (let nth = 0; nth < times; nth++) {
    bench.progress('requests without anything beside them');
    await load(bench.warmUpMs);
    for (let window = 0; window < WINDOWS_BEFORE; window++) beside.without.push(...(await load(WINDOW_MS)));
    bench.progress('requests beside the task');
    let isRunning = true;
    const tookMs = task(nth).finally(() => {
      isRunning = false;
    });
    while (isRunning) beside.meanwhile.push(...(await load(WINDOW_MS)));
    beside.tookMs = Math.max(beside.tookMs, await tookMs);
  }
  return beside;
}

/** Sends the requests for a duration; returns the duration of each, in milliseconds. */
function paced({ program, started }: Bench, invoice: string): (durationMs: number) => Promise<number[]> {
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  let first = 0;
  return async (durationMs) => {
    const { baseUrl, apiKey } = program;
    const requests = requestsFrom(first, invoice);
    first += (durationMs / 1_000) * REQUESTS_PER_SECOND;
    const job = { baseUrl, apiKey, requests, paces: [{ perSecond: REQUESTS_PER_SECOND, durationMs }] };
    return (await part.send(job)).tookMs;
  };
}

function requestsFrom(first: number, invoice: string): PacedRequest[] {
  const body = {
    external_id: '{id}',
    buyer_external_id: '{buyer}',
    merchant_external_id: '{merchant}',
    amount: { net: 100, tax: 19, gross: 119 },
    line_items: LINES,
    comment: COMMENT,
    payment_method: 'TRANSFER',
    payment_term: 'DEFER_14D',
  };
  const ids = { ...PARTIES, id: { prefix: 'order-', first, count: ORDERS_MAX } };
  return [
    { method: 'GET', path: `/v1/invoices/${invoice}`, ids, status: 200 },
    { method: 'POST', path: '/v1/orders', body: JSON.stringify(body), ids, status: 201 },
  ];
}

function besideNote({ without, meanwhile }: Beside, p99Max: number): string {
  const shown = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms and p99 ${percentile(values, 0.99).toFixed(1)} ms`;
  const times = percentile(meanwhile, 0.99) / percentile(without, 0.99);
  return `${REQUESTS_PER_SECOND} requests a second, half of them new orders on credit: ${shown(without)} before, ${shown(meanwhile)} beside the task, ${times.toFixed(2)} times; the bar of ${p99Max} times is ${times <= p99Max ? 'met' : 'missed'}.`;
}

export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** A long task. It begins with one statement, and has ended when another one, a single index look-up, finds no row. */
export interface Task {
  begin: string;
  findLeft: string;
  barSeconds: number;
}

/** Returns the duration of the task, in milliseconds. Throws if it does not end. */
export async function runTask(query: Query, { begin, findLeft, barSeconds }: Task): Promise<number> {
  const startedAtMs = performance.now();
  await query(begin);
  for (;;) {
    const elapsedMs = performance.now() - startedAtMs;
    if ((await query(findLeft)).length === 0) return elapsedMs;
    if (elapsedMs > BARS_MAX * barSeconds * 1_000) throw new Error(`There is still what ${findLeft} finds.`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** The finding of a task that is done `count` times. */
export function taskFinding(
  beside: Beside,
  {
    count,
    barSeconds,
    note,
    p99Max = P99_MAX,
    ...more
  }: Pick<Finding, 'id' | 'what'> & { count: number; barSeconds: number; note: string; p99Max?: number },
): Finding {
  const { tookMs, meanwhile } = beside;
  return {
    ...more,
    ...withinSeconds(count, tookMs / 1_000, barSeconds),
    bar: `≥ 1, p99 ≤ ${p99Max} ×`,
    p50Ms: percentile(meanwhile, 0.5),
    p99Ms: percentile(meanwhile, 0.99),
    notes: [note, besideNote(beside, p99Max)],
  };
}

/** The part of a finding that compares a task with its time limit. */
export function withinSeconds(count: number, seconds: number, barSeconds: number) {
  const ratio = barSeconds / seconds;
  return {
    rate: count / seconds,
    baseline: `the same in ${barSeconds} s`,
    baselineRate: count / barSeconds,
    ...{ ratio, ratioMin: ratio, ratioMax: ratio },
  };
}

/** `12.3 s, each with …; the bar of 60 s is met`. */
export const secondsText = (seconds: number, barSeconds: number, each: string) =>
  `${seconds.toFixed(1)} s, ${each}; the bar of ${barSeconds} s is ${seconds <= barSeconds ? 'met' : 'missed'}`;
