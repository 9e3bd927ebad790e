/**
 * P9: does the cost of a page depend on what it shows, or on what is stored? Every filter, pair and sort that people use, at growing sizes.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { EVENTS_FIRST, FIRST_AT, growTo, orderId } from './support/grown-rows.ts';
import { allIds } from './support/ids.ts';
import { median, percentile } from './support/measure.ts';
import { orderBody, PARTIES, registerParties } from './support/orders.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const ORDERS_AT_FIRST = 100_000;
const REQUESTS = 49;
const P50_RATIO_BAR = 1.5;
const P50_BAR_MS = 250;
const WRITE_RATIO_BAR = 1.2;

const [HOT_BUYER = ''] = allIds(PARTIES.buyer);
const [HOT_MERCHANT = ''] = allIds(PARTIES.merchant);

/** The lists, for `orders` stored orders and the rows of other resources that `grown-rows` adds. */
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
    'orders?amount_gross=10000..15000&sort_by=amount_gross&total=false',
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
  'buyers found by two letters that 200 have': () => 'buyers/search?query=qx',
  'buyers found by two letters that one in 1,000 has, ten to a page': () => 'buyers/search?query=vy&limit=10',
  'buyers found by two letters that most have, no total': () => 'buyers/search?query=ha&total=false',
  'buyers found by a word that 200 have': () => 'buyers/search?query=qxylon',
  'facilities, the newest': () => 'facilities',
  'facilities, frozen (1 %)': () => 'facilities?status=FROZEN',
  'facilities, by last change': () => 'facilities?sort_by=-updated_at',
  'facilities, by what is available': () => 'facilities?sort_by=-available_amount',
  'facilities, by what is used': () => 'facilities?sort_by=-used_amount',
  'facilities, frozen, by what is available': () => 'facilities?status=FROZEN&sort_by=available_amount',
  'facilities, by the end of the period': () => 'facilities?sort_by=expires_at',
  'facilities with little available (1 %), no total': () =>
    'facilities?available_amount=0..5000&sort_by=available_amount&total=false',
  'credit notes, the newest': () => 'credit_notes',
  'credit notes of the hot merchant': () => `credit_notes?merchant_external_id=${HOT_MERCHANT}`,
  'credit notes, by amount': () => 'credit_notes?sort_by=-amount_gross',
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
  const small = await openGrowing(bench, await startProgram({ started, profileFolder: null }));
  await small.growTo(ORDERS_AT_FIRST);
  const grown = await openGrowing(bench, program);
  const sizes = [...new Set([Math.round(bench.orders / 5), bench.orders])].filter(
    (size) => size >= ORDERS_AT_FIRST && size <= bench.orders,
  );
  const compared: Compared[] = [];
  for (const size of sizes) {
    await grown.growTo(size);
    progress(`asking at ${size.toLocaleString('en')} orders`);
    compared.push({ size, lists: await measureLists(small, grown) });
  }
  return findingOf(compared);
}

/** A program with rows, and a login that writes them. */
interface Growing {
  program: Program;
  orders: number;
  growTo(orders: number): Promise<void>;
}

async function openGrowing({ started, progress }: Bench, program: Program): Promise<Growing> {
  await registerParties(program);
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const growing: Growing = {
    program,
    orders: 0,
    async growTo(orders) {
      progress(`writing rows, ${orders.toLocaleString('en')} orders in all`);
      await growTo(owner, growing.orders, orders);
      growing.orders = orders;
    },
  };
  return growing;
}

const WRITE = 'a new draft order';

/** In milliseconds; Infinity for a refused list. */
interface P50s {
  smallMs: number;
  grownMs: number;
}

interface Compared {
  size: number;
  /** The p50 of each list. */
  lists: Map<string, P50s>;
}

/** Queries both in turns, so that both run under the same conditions. */
async function measureLists(small: Growing, grown: Growing): Promise<Map<string, P50s>> {
  const lists = new Map<string, P50s>();
  for (const [name, pathOf] of Object.entries(LISTS))
    lists.set(
      name,
      await p50sOf(small, grown, ({ program, orders }) => program.send('GET', `/v1/${pathOf(orders)}`)),
    );
  lists.set('after a cursor', await p50sOf(small, grown, walkOf(small), walkOf(grown)));
  lists.set(WRITE, await p50sOf(small, grown, writeOrder));
  return lists;
}

type Request = (of: Growing) => Promise<unknown>;

/** Each page follows the previous one. */
function walkOf({ program }: Growing): Request {
  let after = '';
  return async () => {
    const { next } = await program.send('GET', `/v1/orders?status=CONFIRMED&limit=100${after}`);
    after = `&after=${next}`;
  };
}

const writeOrder: Request = ({ program }) =>
  program.send(
    'POST',
    '/v1/orders/draft',
    orderBody({
      external_id: `new-${randomUUID()}`,
      buyer_external_id: HOT_BUYER,
      merchant_external_id: HOT_MERCHANT,
    }),
  );

async function p50sOf(small: Growing, grown: Growing, ofSmall: Request, ofGrown = ofSmall): Promise<P50s> {
  const smallMs: number[] = [];
  const grownMs: number[] = [];
  const measure = async (tookMs: number[], request: Request, growing: Growing) => {
    const before = performance.now();
    const isAnswered = await request(growing).then(
      () => true,
      () => false,
    );
    tookMs.push(isAnswered ? performance.now() - before : Number.POSITIVE_INFINITY);
  };
  for (let nth = 0; nth < REQUESTS; nth++) {
    await measure(smallMs, ofSmall, small);
    await measure(grownMs, ofGrown, grown);
  }
  return { smallMs: percentile(smallMs, 0.5), grownMs: percentile(grownMs, 0.5) };
}

function findingOf(compared: readonly Compared[]): Finding {
  const { size, lists: atLargest } = compared.at(-1) as Compared;
  const lists = [...atLargest].filter(([name]) => name !== WRITE).map(([name, p50s]) => ({ name, ...p50s }));
  const ratioOf = ({ grownMs, smallMs }: P50s) => grownMs / smallMs;
  const ratios = lists.map(ratioOf);
  const slowestMs = Math.max(...lists.map(({ grownMs }) => grownMs));
  const missed = lists.filter((list) => ratioOf(list) > P50_RATIO_BAR || list.grownMs > P50_BAR_MS);
  const sizeText = (orders: number) => orders.toLocaleString('en');
  const textOf = (name: string) => {
    const all = compared.map((of) => ({ size: of.size, ...(of.lists.get(name) as P50s) }));
    return `${name}: ${all.map((of) => `${of.smallMs.toFixed(1)} and ${of.grownMs.toFixed(1)} ms, ${ratioOf(of).toFixed(2)} ×`).join('; ')}.`;
  };
  return {
    id: 'P9',
    what: `Lists, ${lists.length} of them, at ${sizeText(size)} orders, the slowest`,
    rate: 1_000 / slowestMs,
    baseline: `the same at ${sizeText(ORDERS_AT_FIRST)}`,
    baselineRate: 1_000 / Math.max(...lists.map(({ smallMs }) => smallMs)),
    ratio: median(ratios),
    ratioMin: Math.min(...ratios),
    ratioMax: Math.max(...ratios),
    bar: `p50 ≤ ${P50_RATIO_BAR} × each, ≤ ${P50_BAR_MS} ms`,
    p50Ms: slowestMs,
    p99Ms: null,
    notes: [
      `Two programs, each with a database of its own, are asked in turns, ${REQUESTS} times each. The first has ${sizeText(ORDERS_AT_FIRST)} orders, the second ${compared.map((of) => sizeText(of.size)).join(', then ')}. The ratios are those of p50 in time.`,
      ...lists.map(({ name }) => textOf(name)),
      missed.length === 0
        ? 'The bar is met.'
        : `The bar is missed by: ${missed.map(({ name }) => name).join(', ')}.`,
      `${textOf(WRITE)} The bar is ${WRITE_RATIO_BAR} ×.`,
    ],
  };
}
