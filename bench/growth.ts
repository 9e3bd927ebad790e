/** P9: does a page cost what it shows, or what is stored? Every filter, pair and sort that people use, at growing sizes. */
import pg from 'pg';
import { EVENTS_FIRST, FIRST_AT, growTo, orderId } from './support/grown-rows.ts';
import { allIds } from './support/ids.ts';
import { median, percentile } from './support/measure.ts';
import { orderBody, PARTIES, registerParties } from './support/orders.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const ORDERS_AT_FIRST = 100_000;
const REQUESTS = 25;
const P50_RATIO_BAR = 1.5;
const P50_BAR_MS = 250;
const WRITE_RATIO_BAR = 1.2;

const [HOT_BUYER = ''] = allIds(PARTIES.buyer);
const [HOT_MERCHANT = ''] = allIds(PARTIES.merchant);

/** Of `orders` orders that are stored, and as many rows of the others as `grown-rows` says. */
const LISTS: Record<string, (orders: number) => string> = {
  'the newest': () => 'orders',
  'the newest, no total': () => 'orders?total=false',
  'confirmed (25 %)': () => 'orders?status=CONFIRMED',
  'cancelled (1 %)': () => 'orders?status=CANCELLED',
  'three statuses': () => 'orders?status=CONFIRMED,CANCELLED,CLOSED',
  'the hot buyer (10 %)': () => `orders?buyer_external_id=${HOT_BUYER}`,
  'the hot buyer, confirmed': () => `orders?buyer_external_id=${HOT_BUYER}&status=CONFIRMED`,
  'the hot merchant (25 %)': () => `orders?merchant_external_id=${HOT_MERCHANT}`,
  'the hot merchant, confirmed': () => `orders?merchant_external_id=${HOT_MERCHANT}&status=CONFIRMED`,
  'two buyers': () => `orders?buyer_external_id=${allIds(PARTIES.buyer).slice(0, 2).join()}`,
  'twenty merchants': () => `orders?merchant_external_id=${allIds(PARTIES.merchant).slice(0, 20).join()}`,
  'one currency': () => 'orders?currency=EUR',
  'by last change': () => 'orders?sort_by=-updated_at',
  'by last change, the oldest first': () => 'orders?sort_by=updated_at',
  'by amount': () => 'orders?sort_by=-amount_gross',
  'by day of ordering': () => 'orders?sort_by=-ordered_at',
  'by external_id': () => 'orders?sort_by=external_id',
  'confirmed, by amount': () => 'orders?status=CONFIRMED&sort_by=-amount_gross',
  'confirmed, by last change': () => 'orders?status=CONFIRMED&sort_by=-updated_at',
  'a range of amounts (1 %), no total': () =>
    'orders?amount_gross=10000..10050&sort_by=amount_gross&total=false',
  'a range of amounts (10 %), the newest, no total': () => 'orders?amount_gross=10000..60000&total=false',
  'the first hour, by last change, no total': () =>
    `orders?created_at=${FIRST_AT}..${FIRST_AT + 3_600}&sort_by=-updated_at&total=false`,
  'the last hour': (orders) => `orders?created_at=${FIRST_AT + orders - 3_600}..`,
  'at an offset of 10,000': () => 'orders?offset=10000',
  'at an offset of 99,900, no total': () => 'orders?offset=99900&total=false',
  'ten ids': (orders) =>
    `orders?external_id=${Array.from({ length: 10 }, (_, nth) => orderId(Math.floor((orders * nth) / 10))).join()}`,
  'invoices, the newest': () => 'invoices',
  'invoices, open (10 %)': () => 'invoices?status=OPEN',
  'invoices, by due day': () => 'invoices?status=OPEN&sort_by=due_at',
  'invoices of the hot buyer, open': () => `invoices?buyer_external_id=${HOT_BUYER}&status=OPEN`,
  'invoices of the hot merchant': () => `invoices?merchant_external_id=${HOT_MERCHANT}`,
  'invoices, by amount': () => 'invoices?sort_by=-amount_gross',
  'buyers, the newest': () => 'buyers',
  'buyers, by name': () => 'buyers?sort_by=legal_name',
  'buyers found by two letters that few have': () => 'buyers/search?query=qx',
  'buyers found by two letters that most have, no total': () => 'buyers/search?query=ha&total=false',
  'buyers found by a word that few have': () => 'buyers/search?query=qxylon',
  'payouts, the newest': () => 'payouts',
  'payouts of the hot merchant': () => `payouts?merchant_external_id=${HOT_MERCHANT}`,
  'payouts that failed (1 %)': () => 'payouts?status=FAILED',
  'payouts, by day': () => 'payouts?sort_by=-scheduled_on',
  'events behind the middle': (orders) => `events?after=${EVENTS_FIRST + Math.floor(orders / 2)}`,
  'events of a rare type': (orders) =>
    `events?after=${EVENTS_FIRST + Math.floor(orders / 2)}&type=BUYER.UPDATED`,
  'deliveries, the newest': () => 'webhooks/ORDER/deliveries',
  'deliveries that failed': () => 'webhooks/ORDER/deliveries?status=DISCARDED',
};

export const growth: Question = { name: 'growth', run };

async function run(bench: Bench): Promise<Finding> {
  if (bench.orders < ORDERS_AT_FIRST)
    throw new Error(`It begins with ${ORDERS_AT_FIRST.toLocaleString('en')} orders: give --orders as many.`);
  const { program, started, progress } = bench;
  await registerParties(program);
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const sizes = [...new Set([ORDERS_AT_FIRST, Math.round(bench.orders / 5), bench.orders])].filter(
    (size) => size >= ORDERS_AT_FIRST && size <= bench.orders,
  );
  const measured: Map<string, number>[] = [];
  const notes: string[] = [];
  for (const [nth, size] of sizes.entries()) {
    progress(`writing rows, ${size.toLocaleString('en')} orders in all`);
    await growTo(owner, sizes[nth - 1] ?? 0, size);
    progress(`asking at ${size.toLocaleString('en')} orders`);
    measured.push(await measureLists(program, size));
    notes.push(
      `POST /v1/orders/draft ${(measured.at(-1)?.get(WRITE) ?? Number.NaN).toFixed(2)} ms at ${size.toLocaleString('en')}.`,
    );
  }
  return findingOf(sizes, measured, notes);
}

const WRITE = 'a new draft order';

/** The p50 in ms of each list, and of a new order; Infinity for a list that was refused. */
async function measureLists(program: Program, orders: number): Promise<Map<string, number>> {
  const p50s = new Map<string, number>();
  for (const [name, pathOf] of Object.entries(LISTS))
    p50s.set(
      name,
      await p50Of(() => program.send('GET', `/v1/${pathOf(orders)}`)).catch(() => Number.POSITIVE_INFINITY),
    );
  p50s.set('behind a cursor', await p50OfWalk(program));
  const write = (nth: number) =>
    program.send(
      'POST',
      '/v1/orders/draft',
      orderBody({
        external_id: `new-${orders}-${nth}`,
        buyer_external_id: HOT_BUYER,
        merchant_external_id: HOT_MERCHANT,
      }),
    );
  p50s.set(WRITE, await p50Of(write));
  return p50s;
}

/** Each page behind the one before. */
async function p50OfWalk(program: Program): Promise<number> {
  let after = '';
  return p50Of(async () => {
    const { next } = await program.send('GET', `/v1/orders?status=CONFIRMED&limit=100${after}`);
    after = `&after=${next}`;
  });
}

async function p50Of(request: (nth: number) => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let nth = 0; nth < REQUESTS; nth++) {
    const before = performance.now();
    await request(nth);
    tookMs.push(performance.now() - before);
  }
  return percentile(tookMs, 0.5);
}

function findingOf(
  sizes: readonly number[],
  measured: readonly Map<string, number>[],
  notes: string[],
): Finding {
  const [smallest, largest] = [measured[0], measured.at(-1)] as [Map<string, number>, Map<string, number>];
  const lists = [...largest].filter(([name]) => name !== WRITE);
  const ratioOf = (name: string) => (largest.get(name) ?? Number.NaN) / (smallest.get(name) ?? Number.NaN);
  const ratios = lists.map(([name]) => ratioOf(name));
  const worst = Math.max(...ratios);
  const slowestMs = Math.max(...lists.map(([, p50Ms]) => p50Ms));
  const sizeText = (size: number) => size.toLocaleString('en');
  const missed = lists.filter(([name, p50Ms]) => ratioOf(name) > P50_RATIO_BAR || p50Ms > P50_BAR_MS);
  return {
    id: 'P9',
    what: `Lists, ${lists.length} of them, at ${sizeText(sizes.at(-1) ?? 0)} orders, the slowest`,
    rate: 1_000 / slowestMs,
    baseline: `the same at ${sizeText(sizes[0] ?? 0)}`,
    baselineRate: 1_000 / Math.max(...lists.map(([name]) => smallest.get(name) ?? Number.NaN)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: worst,
    bar: `p50 ≤ ${P50_RATIO_BAR} × each, ≤ ${P50_BAR_MS} ms`,
    p50Ms: slowestMs,
    p99Ms: null,
    notes: [
      `The ratios are those of p50 in time, of ${REQUESTS} requests one after the other.`,
      ...lists.map(
        ([name]) =>
          `${name}: ${measured.map((p50s) => `${(p50s.get(name) ?? Number.NaN).toFixed(1)} ms`).join(' / ')}, ${ratioOf(name).toFixed(2)} ×`,
      ),
      missed.length === 0
        ? 'The bar is met.'
        : `The bar is missed by: ${missed.map(([name]) => name).join(', ')}.`,
      `${WRITE}: ${ratioOf(WRITE).toFixed(2)} ×, bar ${WRITE_RATIO_BAR} ×.`,
      ...notes,
    ],
  };
}
