/** Requests at a steady rate beside a long task, and what they notice of it. */
import { COMMENT, LINES, PARTIES } from './orders.ts';
import type { PacedJob, PacedMeasurement, PacedRequest } from './paced-load.ts';
import { startPart } from './part.ts';
import type { Bench } from './question.ts';

/** Half of them read an invoice, half create an order on credit. */
const REQUESTS_PER_SECOND = 40;
const WINDOW_MS = 5_000;
const WINDOWS_BEFORE = 4;
const ORDERS_MAX = 100_000;
export const P99_BAR = 2;

/** What requests took, in milliseconds. */
export interface Beside {
  without: number[];
  meanwhile: number[];
  /** What the task took. */
  tookMs: number;
}

/** Measures the requests without the task, then while it runs. The invoice is one that they read. */
export async function measureBeside(
  bench: Bench,
  invoice: string,
  task: () => Promise<number>,
): Promise<Beside> {
  const load = paced(bench, invoice);
  bench.progress('requests without anything beside them');
  await load(bench.warmUpMs);
  const without: number[] = [];
  for (let window = 0; window < WINDOWS_BEFORE; window++) without.push(...(await load(WINDOW_MS)));
  bench.progress('requests meanwhile');
  const meanwhile: number[] = [];
  let isRunning = true;
  const tookMs = task().finally(() => {
    isRunning = false;
  });
  while (isRunning) meanwhile.push(...(await load(WINDOW_MS)));
  return { without, meanwhile, tookMs: await tookMs };
}

/** Sends the requests for a duration; returns what each took, in milliseconds. */
function paced({ program, started }: Bench, invoice: string): (durationMs: number) => Promise<number[]> {
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  let first = 0;
  return async (durationMs) => {
    const { baseUrl, apiKey } = program;
    const requests = requestsFrom(first, invoice);
    first += (durationMs / 1_000) * REQUESTS_PER_SECOND;
    const job = { baseUrl, apiKey, requests, perSecond: REQUESTS_PER_SECOND, durationMs };
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

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

export function besideNote({ without, meanwhile }: Beside): string {
  const shown = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(1)} ms and p99 ${percentile(values, 0.99).toFixed(1)} ms`;
  const times = percentile(meanwhile, 0.99) / percentile(without, 0.99);
  return `${REQUESTS_PER_SECOND} requests a second, half of them new orders on credit: ${shown(without)} before, ${shown(meanwhile)} meanwhile, ${times.toFixed(2)} times; the bar of ${P99_BAR} times is ${times <= P99_BAR ? 'met' : 'missed'}.`;
}
