/** I4: how long do 100,000 invoices of one platform take to fall due at midnight, and what do requests notice of it? */
import pg from 'pg';
import { copyInvoice } from '#test/invoice-copies';
import { allIds } from './support/ids.ts';
import { COMMENT, LINES, PARTIES, registerParties } from './support/orders.ts';
import type { PacedJob, PacedMeasurement, PacedRequest } from './support/paced-load.ts';
import { startPart } from './support/part.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const INVOICES = 100_000;
const BAR_SECONDS = 60;
const P99_BAR = 2;
const DAY_SECONDS = 86_400;
/** Half of them read an invoice, half create an order on credit. */
const REQUESTS_PER_SECOND = 40;
const WINDOW_MS = 5_000;
const WINDOWS_BEFORE = 4;

export const fallDue: Question = { name: 'fall-due', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress } = bench;
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const query = async (sql: string) => (await owner.query(sql)).rows;
  progress('registering buyers and merchants, and granting facilities');
  await registerParties(program);
  const buyers = allIds(PARTIES.buyer);
  for (const buyer of buyers) await program.send('POST', `/v1/buyers/${buyer}/facility`, {});
  progress(`writing ${INVOICES.toLocaleString('en')} invoices`);
  await writeInvoices(bench, query, buyers);

  const load = paced(bench);
  progress('requests without anything due');
  await load(bench.warmUpMs);
  const without: number[] = [];
  for (let window = 0; window < WINDOWS_BEFORE; window++) without.push(...(await load(WINDOW_MS)));

  progress('midnight');
  const meanwhile: number[] = [];
  const startedAtMs = performance.now();
  await query(`update platforms set clock_ahead_seconds = ${11 * DAY_SECONDS}`);
  const falling = untilAllAreDue(query, () => performance.now() - startedAtMs);
  let isFalling = true;
  const tookMs = falling.finally(() => {
    isFalling = false;
  });
  while (isFalling) meanwhile.push(...(await load(WINDOW_MS)));
  return findingOf(await tookMs, without, meanwhile);
}

/** One invoice through the API, and copies of it. */
async function writeInvoices(
  { program }: Bench,
  query: (sql: string) => Promise<Record<string, unknown>[]>,
  buyers: readonly string[],
): Promise<void> {
  await program.send('POST', '/v1/invoices', {
    external_id: 'due',
    buyer_external_id: buyers[0],
    merchant_external_id: allIds(PARTIES.merchant)[0],
    amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    line_items: LINES,
    payment_method: 'TRANSFER',
    due_at: Math.floor(Date.now() / 1_000) + 10 * DAY_SECONDS,
  });
  await copyInvoice(query, { invoice: 'due', count: INVOICES - 1, buyers });
  await query('analyze');
}

/** Sends the requests for a duration; returns what each took, in milliseconds. */
function paced({ program, started }: Bench): (durationMs: number) => Promise<number[]> {
  const part = started.use(startPart<PacedJob, PacedMeasurement>('paced-load.ts'));
  let first = 0;
  return async (durationMs) => {
    const { baseUrl, apiKey } = program;
    const requests = requestsFrom(first);
    first += (durationMs / 1_000) * REQUESTS_PER_SECOND;
    const job = { baseUrl, apiKey, requests, perSecond: REQUESTS_PER_SECOND, durationMs };
    return (await part.send(job)).tookMs;
  };
}

function requestsFrom(first: number): PacedRequest[] {
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
  const ids = { ...PARTIES, id: { prefix: 'order-', first, count: INVOICES } };
  return [
    { method: 'GET', path: '/v1/invoices/due', ids, status: 200 },
    { method: 'POST', path: '/v1/orders', body: JSON.stringify(body), ids, status: 201 },
  ];
}

async function untilAllAreDue(
  query: (sql: string) => Promise<Record<string, unknown>[]>,
  elapsedMs: () => number,
): Promise<number> {
  for (;;) {
    // One look-up in an index.
    const waiting = await query('select from invoices where falls_due_at is not null limit 1');
    if (waiting.length === 0) return elapsedMs();
    if (elapsedMs() > 10 * BAR_SECONDS * 1_000) throw new Error('The invoices do not fall due.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function findingOf(tookMs: number, without: readonly number[], meanwhile: readonly number[]): Finding {
  const percentile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
  const seconds = tookMs / 1_000;
  const p99 = { without: percentile(without, 0.99), meanwhile: percentile(meanwhile, 0.99) };
  const ratio = BAR_SECONDS / seconds;
  return {
    id: 'I4',
    what: `${INVOICES.toLocaleString('en')} invoices of one platform that fall due at one midnight`,
    rate: INVOICES / seconds,
    baseline: `the same in ${BAR_SECONDS} s`,
    baselineRate: INVOICES / BAR_SECONDS,
    ratio,
    ratioMin: ratio,
    ratioMax: ratio,
    bar: `≥ 1, p99 ≤ ${P99_BAR} ×`,
    p50Ms: percentile(meanwhile, 0.5),
    p99Ms: p99.meanwhile,
    notes: [
      `All were DUE after ${seconds.toFixed(1)} s, each with history, event and overdue amount; the bar of ${BAR_SECONDS} s is ${seconds <= BAR_SECONDS ? 'met' : 'missed'}. They belong to ${PARTIES.buyer.count.toLocaleString('en')} buyers.`,
      `${REQUESTS_PER_SECOND} requests a second, half of them new orders on credit: p50 ${percentile(without, 0.5).toFixed(1)} ms and p99 ${p99.without.toFixed(1)} ms before, p50 ${percentile(meanwhile, 0.5).toFixed(1)} ms and p99 ${p99.meanwhile.toFixed(1)} ms meanwhile, ${(p99.meanwhile / p99.without).toFixed(2)} times; the bar of ${P99_BAR} times is ${p99.meanwhile <= P99_BAR * p99.without ? 'met' : 'missed'}.`,
    ],
  };
}
