/** The common parts of the order benches: buyers and merchants, the request, and counting sides. */
import type pg from 'pg';
import type { Side } from './compare.ts';
import type { HttpLoadJob } from './http-load.ts';
import { allIds, type Series } from './ids.ts';
import type { Measurement } from './measure.ts';
import type { PacedRequest } from './paced-load.ts';
import { startPart } from './part.ts';
import type { Program } from './program.ts';
import type { Bench } from './question.ts';

export const HTTP_CONNECTIONS = 64;
// Many of both, because orders that lock the row of the same buyer or merchant would wait for each other.
export const PARTIES = {
  buyer: { prefix: 'buyer-', first: 0, count: 1_000 },
  merchant: { prefix: 'merchant-', first: 0, count: 100 },
};
const GRANTED_AT_ONCE = 20;
export const WITHOUT_END = Number.MAX_SAFE_INTEGER;

export async function registerParties(program: Pick<Program, 'createAll'>): Promise<void> {
  const company = {
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    // Without a number, no two buyers are the same company, whose decisions would wait for each other.
    business_identifiers: [],
    business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
  };
  const companies = (series: Series, more = {}) =>
    allIds(series).map((id) => ({ external_id: id, ...company, ...more }));
  await program.createAll('/v1/merchants', companies(PARTIES.merchant));
  // The outcome script of this address grants credit: no registry has the company.
  await program.createAll('/v1/buyers', companies(PARTIES.buyer, { contact_email: 'accepted@cafe.example' }));
}

/** Parties whose buyers have a facility. */
export async function registerDebtors(program: Program): Promise<void> {
  await registerParties(program);
  const buyers = allIds(PARTIES.buyer);
  for (let at = 0; at < buyers.length; at += GRANTED_AT_ONCE)
    await Promise.all(
      buyers
        .slice(at, at + GRANTED_AT_ONCE)
        .map((buyer) => program.send('POST', `/v1/buyers/${buyer}/facility`, {})),
    );
}

export const COMMENT = 'Deliver to the back door.';
export const LINES = [
  { name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2_500, quantity: 4 },
  { name: 'Welcome discount', category: 'Discount', price: -500, quantity: 1, description: 'First order' },
];

/** Minor units: small enough that a facility can reserve all orders of the longest run. */
export const ORDER_ON_CREDIT = {
  amount: { net: 100, tax: 19, gross: 119 },
  payment_method: 'TRANSFER',
  payment_term: 'DEFER_14D',
};

/** An order of two lines. `more` has further fields of the path. */
export const orderBody = (more: object = {}) => ({
  external_id: '{id}',
  buyer_external_id: '{buyer}',
  merchant_external_id: '{merchant}',
  amount: { net: 10_000, tax: 1_900, gross: 11_900 },
  line_items: LINES,
  comment: COMMENT,
  ...more,
});

/** Posts orders of two lines to the path, with buyers and merchants in turn. */
export function postOrders(
  bench: Bench,
  { path, prefix, more, connections }: { path: string; prefix: string; more?: object; connections?: number },
): Side['run'] {
  const prefixes = { id: prefix };
  return posting(bench, { path, body: orderBody(more), prefixes, ...(connections && { connections }) });
}

/** Gathered statements make the service faster with more concurrent requests: with 64 it does not reach its maximum yet. */
export const SATURATING_CONNECTIONS = 128;

/** Posts orders on credit as fast as they are answered. */
export const saturating = (bench: Bench): Side['run'] =>
  postOrders(bench, {
    path: '/v1/orders',
    prefix: 'full-',
    more: ORDER_ON_CREDIT,
    connections: SATURATING_CONNECTIONS,
  });

/** An order on credit for a paced load, with ids of the prefix from `first` on. */
export const pacedOrder = (prefix: string, first: number): PacedRequest => ({
  method: 'POST',
  path: '/v1/orders',
  body: JSON.stringify(orderBody(ORDER_ON_CREDIT)),
  ids: { ...PARTIES, id: { prefix, first, count: WITHOUT_END } },
  status: 201,
});

/** Throws unless exactly `acknowledged` orders of the prefix are stored. */
export async function assertStored(database: pg.Client, prefix: string, acknowledged: number): Promise<void> {
  const { rows } = await database.query(
    'select count(*)::int as orders from orders where starts_with(external_id, $1)',
    [prefix],
  );
  if (rows[0].orders !== acknowledged)
    throw new Error(`${acknowledged} orders were acknowledged, but the database has ${rows[0].orders}.`);
}

/** Posts the body to the path, with the next id of each prefix for its `{name}`, and buyers and merchants in turn. */
export function posting(
  { program, started }: Bench,
  {
    path,
    body,
    prefixes,
    connections = HTTP_CONNECTIONS,
  }: {
    path: string;
    body: object;
    prefixes: Record<'id', string> & Record<string, string>;
    connections?: number;
  },
): Side['run'] {
  const load = started.use(startPart<HttpLoadJob, Measurement>('http-load.ts'));
  return fresh((first, durationMs) => {
    const series = (prefix: string): Series => ({ prefix, first, count: WITHOUT_END });
    const named = Object.entries(prefixes).map(([name, prefix]) => [name, series(prefix)]);
    return load.send({
      baseUrl: program.baseUrl,
      method: 'POST',
      path,
      headers: { Authorization: `Bearer ${program.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      ids: { ...PARTIES, id: series(prefixes.id), ...Object.fromEntries(named) },
      status: 201,
      connections,
      durationMs,
    });
  });
}

/** Gives each run the first unused id number. */
export function fresh(run: (first: number, durationMs: number) => Promise<Measurement>): Side['run'] {
  let first = 0;
  return async (durationMs) => {
    const measurement = await run(first, durationMs);
    first += measurement.done;
    return measurement;
  };
}

/** The same side, which also counts everything it has done, including the warm-up. */
export function counting(side: Side): Side & { done(): number } {
  let done = 0;
  return {
    name: side.name,
    done: () => done,
    async run(durationMs) {
      const measurement = await side.run(durationMs);
      done += measurement.done;
      return measurement;
    },
  };
}
