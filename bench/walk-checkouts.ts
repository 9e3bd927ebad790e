/** C1: how long does a buyer wait for a page of the checkout while fifty checkouts start per second? */

import { openDatabase } from '#infra/database/database';
import { systemClock } from '#infra/time/clock';
import { writeCompanies } from '#modules/registry';
import { NO_ADDRESS, registryEntry } from '#test/registry-entry';
import {
  type CheckoutJob,
  type CheckoutMeasurement,
  KINDS,
  type Kind,
  type PreparedCheckout,
} from './support/checkout-load.ts';
import { median } from './support/measure.ts';
import { startPart } from './support/part.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const PER_SECOND = 50;
const P99_BAR_MS = 50;
/** Concurrent requests during the preparation of checkouts. */
const LANES = 16;

export const walkCheckouts: Question = { name: 'walk-checkouts', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, rounds, roundMs, warmUpMs, progress, started } = bench;
  await program.send('POST', '/v1/merchants', {
    external_id: 'merchant',
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    business_address: { postcode: '20457', city: 'Hamburg', country: 'DE' },
  });
  const load = started.use(startPart<CheckoutJob, CheckoutMeasurement>('checkout-load.ts'));
  let prepared = 0;
  const walkFor = async (durationMs: number) => {
    const count = Math.ceil((durationMs / 1_000) * PER_SECOND);
    await storeCompanies(bench, prepared, count);
    const checkouts = await prepareCheckouts(bench, prepared, count);
    prepared += count;
    const { baseUrl, postgres, dataDir } = program;
    return load.send({ baseUrl, postgres, dataDir, checkouts, perSecond: PER_SECOND });
  };
  progress('warming up');
  await walkFor(warmUpMs);
  const measured: CheckoutMeasurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    measured.push(await walkFor(roundMs));
  }
  return findingOf(measured);
}

function findingOf(measured: readonly CheckoutMeasurement[]): Finding {
  const rates = measured.map(({ confirmed, elapsedMs }) => (confirmed / elapsedMs) * 1_000);
  const percentile = (share: number, kinds: readonly Kind[] = KINDS) =>
    median(
      measured.map(({ tookMs }) => {
        const sorted = kinds.flatMap((kind) => tookMs[kind]).toSorted((a, b) => a - b);
        return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
      }),
    );
  const p99Ms = percentile(0.99);
  const requests = measured.reduce((sum, { tookMs }) => sum + Object.values(tookMs).flat().length, 0);
  const checkouts = measured.reduce((sum, { confirmed }) => sum + confirmed, 0);
  return {
    id: 'C1',
    what: 'checkouts from the link to the confirmed order',
    rate: median(rates),
    baseline: 'the started checkouts',
    baselineRate: PER_SECOND,
    ratio: median(rates) / PER_SECOND,
    ratioMin: Math.min(...rates) / PER_SECOND,
    ratioMax: Math.max(...rates) / PER_SECOND,
    bar: `p99 ≤ ${P99_BAR_MS} ms`,
    p50Ms: percentile(0.5),
    p99Ms,
    notes: [
      `${PER_SECOND} checkouts start per second, whether or not earlier ones have ended. Each is for a new company of the registry, whose buyer confirms an address by code, with a credit decision, and has ${requests / checkouts} requests; every order was confirmed. The latencies are those of single requests.`,
      `The bar is ${p99Ms <= P99_BAR_MS ? 'met' : 'missed'}; the ratio is below 1 by the duration of the last checkouts.`,
      `p99 by kind of request: ${KINDS.map((kind) => `${kind} ${percentile(0.99, [kind]).toFixed(1)} ms`).join(', ')}. The code form includes the credit decision.`,
      `The process that sends and counts used ${Math.round(100 * median(measured.map(({ busyShare }) => busyShare)))} % of a core.`,
    ],
  };
}

const REGISTRY = 'BENCH';
const websiteOf = (id: number) => `bistro-${id}.example`;

/** Stores companies with a register number and a website, to which the policy grants credit. */
async function storeCompanies({ program }: Bench, from: number, count: number): Promise<void> {
  const { db, close } = openDatabase({ connection: { ...program.postgres }, connectionsMax: 1 });
  const entries = Array.from({ length: count }, (_, nth) =>
    registryEntry({
      registry: REGISTRY,
      registryKey: String(from + nth),
      legalName: `Bistro ${from + nth} GmbH`,
      tradingName: null,
      legalForm: 'GmbH',
      // Many applications to one address are referred to a person.
      address: {
        ...NO_ADDRESS,
        street: 'Kanalweg',
        house: String(from + nth),
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
      identifiers: [{ type: 'REGISTER_ID', value: `HRB ${100_000 + from + nth} B`, country: 'DE' }],
      website: `https://${websiteOf(from + nth)}`,
    }),
  );
  await writeCompanies(db, entries, systemClock.now());
  await close();
}

/** Creates drafts of invited buyers with a link each. */
async function prepareCheckouts(
  { program, progress }: Bench,
  from: number,
  count: number,
): Promise<PreparedCheckout[]> {
  progress(`preparing ${count} checkouts`);
  const checkouts: PreparedCheckout[] = [];
  let next = from;
  const lane = async () => {
    while (next < from + count) {
      const id = next++;
      const buyer = `buyer-${id}`;
      const order = `order-${id}`;
      await program.send('POST', '/v1/buyers', {
        external_id: buyer,
        contact_email: `${buyer}@bistro.example`,
      });
      await program.send('POST', '/v1/orders/draft', {
        external_id: order,
        buyer_external_id: buyer,
        merchant_external_id: 'merchant',
        amount: { net: 10_000, tax: 1_900, gross: 11_900 },
        line_items: [{ name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2_500, quantity: 4 }],
      });
      const { url } = (await program.send('GET', `/v1/orders/${order}/redirect_url`)) as { url: string };
      checkouts.push({
        token: new URL(url).pathname.split('/')[2] as string,
        order,
        businessId: `${REGISTRY}-${id}`,
        email: `kim@${websiteOf(id)}`,
      });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return checkouts;
}
