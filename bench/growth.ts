/** P9: does a page of orders cost what it shows, or what is stored? Every filter, pair and sort that people use, at growing sizes. */
import pg from 'pg';
import { allIds } from './support/ids.ts';
import { median, percentile } from './support/measure.ts';
import { orderBody, PARTIES, registerParties } from './support/orders.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const ORDERS_AT_FIRST = 100_000;
const WRITTEN_AT_ONCE = 100_000;
const REQUESTS = 25;
const P50_RATIO_BAR = 1.5;
const P50_BAR_MS = 250;
const WRITE_RATIO_BAR = 1.2;
/** Orders a second, from this instant on. */
const FIRST_AT = 1_700_000_000;

const [HOT_BUYER = ''] = allIds(PARTIES.buyer);
const [HOT_MERCHANT = ''] = allIds(PARTIES.merchant);

/** Of `orders` orders that are stored. */
const LISTS: Record<string, (orders: number) => string> = {
  'the newest': () => '',
  'the newest, no total': () => 'total=false',
  'confirmed (25 %)': () => 'status=CONFIRMED',
  'rejected (1 %)': () => 'status=REJECTED',
  'three statuses': () => 'status=CONFIRMED,REJECTED,CLOSED',
  'the hot buyer (10 %)': () => `buyer_external_id=${HOT_BUYER}`,
  'the hot buyer, confirmed': () => `buyer_external_id=${HOT_BUYER}&status=CONFIRMED`,
  'the hot merchant (25 %)': () => `merchant_external_id=${HOT_MERCHANT}`,
  'the hot merchant, confirmed': () => `merchant_external_id=${HOT_MERCHANT}&status=CONFIRMED`,
  'two buyers': () => `buyer_external_id=${allIds(PARTIES.buyer).slice(0, 2).join()}`,
  'one currency': () => 'currency=EUR',
  'by last change': () => 'sort_by=-updated_at',
  'by last change, the oldest first': () => 'sort_by=updated_at',
  'by amount': () => 'sort_by=-amount_gross',
  'by day of ordering': () => 'sort_by=-ordered_at',
  'by external_id': () => 'sort_by=external_id',
  'confirmed, by amount': () => 'status=CONFIRMED&sort_by=-amount_gross',
  'confirmed, by last change': () => 'status=CONFIRMED&sort_by=-updated_at',
  'a range of amounts (1 %), no total': () => 'amount_gross=10000..10050&sort_by=amount_gross&total=false',
  'the last hour': (orders) => `created_at=${FIRST_AT + orders - 3_600}..`,
  'at an offset of 10,000': () => 'offset=10000',
  'ten ids': (orders) =>
    `external_id=${Array.from({ length: 10 }, (_, nth) => orderId(Math.floor((orders * nth) / 10))).join()}`,
};

export const growth: Question = { name: 'growth', run };

async function run(bench: Bench): Promise<Finding> {
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
    progress(`writing orders, ${size.toLocaleString('en')} in all`);
    await writeOrders(owner, sizes[nth - 1] ?? 0, size);
    progress(`asking at ${size.toLocaleString('en')} orders`);
    measured.push(await measureLists(program, size));
    notes.push(
      `POST /v1/orders/draft ${(measured.at(-1)?.get(WRITE) ?? Number.NaN).toFixed(2)} ms at ${size.toLocaleString('en')}.`,
    );
  }
  return findingOf(sizes, measured, notes);
}

const WRITE = 'a new draft order';

/** The p50 in ms of each list, and of a new order. */
async function measureLists(program: Program, orders: number): Promise<Map<string, number>> {
  const p50s = new Map<string, number>();
  for (const [name, queryOf] of Object.entries(LISTS))
    p50s.set(name, await p50Of(() => program.send('GET', `/v1/orders?${queryOf(orders)}`)));
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
    what: `GET /v1/orders, ${lists.length} lists at ${sizeText(sizes.at(-1) ?? 0)} orders, the slowest`,
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

const orderId = (number: number): string => `order-${String(number).padStart(9, '0')}`;

/** One a second; a tenth is of one buyer, a quarter with one merchant. */
async function writeOrders(owner: pg.Client, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += WRITTEN_AT_ONCE)
    await owner.query(
      `insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
        ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
      select 1, 'order-' || lpad(n::text, 9, '0'),
        case when n % 100 = 0 then 'REJECTED' when n % 4 = 1 then 'CONFIRMED' when n % 10 = 3 then 'EXPIRED' else 'CLOSED' end,
        'buyer-' || lpad((case when n % 10 = 0 then 0 else n % ${PARTIES.buyer.count} end)::text, 9, '0'),
        'merchant-' || lpad((case when n % 4 = 1 then 0 else n % ${PARTIES.merchant.count} end)::text, 9, '0'),
        ${FIRST_AT} + n, ${FIRST_AT} + n + n % 86400, ${FIRST_AT} + n, case when n % 20 = 0 then 'GBP' else 'EUR' end,
        n * 7919 % 500000 + 1, n * 7919 % 500000 + 1, 0, '[]'
      from generate_series($1::int, $2::int) n`,
      [first, Math.min(to, first + WRITTEN_AT_ONCE) - 1],
    );
  await owner.query('vacuum analyze orders');
  await owner.query('vacuum analyze list_counts, list_count_changes');
}
