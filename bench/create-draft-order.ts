/** P2: does gathering concurrent requests into one statement beat the ceiling of one statement per request? */
import pg from 'pg';
import { compare, type Side } from './support/compare.ts';
import type { InsertJob } from './support/insert-loop.ts';
import type { Measurement } from './support/measure.ts';
import {
  COMMENT,
  counting,
  fresh,
  HTTP_CONNECTIONS,
  LINES,
  PARTIES,
  postOrders,
  registerParties,
  WITHOUT_END,
} from './support/orders.ts';
import { startPart } from './support/part.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const DATABASE_CONNECTIONS = 16;
const HTTP_PREFIX = 'asked-';
const LOOP_PREFIX = 'loops-';

export const createDraftOrder: Question = { name: 'create-draft-order', run };

async function run(bench: Bench): Promise<Finding> {
  const { program } = bench;
  bench.progress('registering buyers and merchants');
  await registerParties(program);
  const database = new pg.Client(program.postgres);
  await database.connect();
  bench.started.defer(() => database.end());

  const subject = counting({
    name: 'POST /v1/orders/draft, 2 lines',
    run: postOrders(bench, { path: '/v1/orders/draft', prefix: HTTP_PREFIX }),
  });
  const baseline = counting({
    name: 'the same insert from a tight pg loop, one statement a request',
    run: insertOrders(bench, program, await valuesOfOrder(database)),
  });
  const finding = await compare(bench, { subject, baseline });
  await assertKept(database, HTTP_PREFIX, subject.done());
  await assertKept(database, LOOP_PREFIX, baseline.done());
  return {
    ...finding,
    id: 'P2',
    bar: '≥ 1.5',
    notes: [
      `The ceiling is a loop over pg, because pgbench is not on every machine: ${DATABASE_CONNECTIONS} connections, one named prepared statement that writes an order and its transition, into the same tables with the same durability (fsync on).`,
      `${HTTP_CONNECTIONS} keep-alive connections, one request at a time on each; every response was a 201. Buyers (${PARTIES.buyer.count}) and merchants (${PARTIES.merchant.count}) take turns on both sides.`,
      `The database holds exactly the ${subject.done()} orders that were acknowledged over HTTP, each with its transition, and the ${baseline.done()} of the loop.`,
      ...finding.notes,
    ],
  };
}

// The shortest statement that writes what the service writes for the request above. Empty columns of a draft keep their
// defaults.
const INSERT = `
  with written as (
    insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at,
      updated_at, ordered_at, currency, amount_net, amount_gross, amount_tax, comment, line_items)
    values ($1, $2, 'DRAFT', $3, $4, $5, $5, $5, 'EUR', $6, $7, $8, $9, $10)
    on conflict (platform_id, external_id) do nothing
    returning platform_id, external_id, version, created_at
  )
  insert into order_transitions (platform_id, order_external_id, version, from_status, to_status, trigger, transitioned_at, actor)
  select platform_id, external_id, version, null, 'DRAFT', 'create_draft', created_at, $11 from written`;

async function valuesOfOrder(database: pg.Client): Promise<(string | number)[]> {
  const { rows } = await database.query('select platform_id, key_id from api_keys');
  const now = Math.floor(Date.now() / 1_000);
  const lines = LINES.map((line) => ({ description: null, ...line, currency: 'EUR' }));
  return [
    rows[0].platform_id,
    '{id}',
    '{buyer}',
    '{merchant}',
    now,
    10_000,
    11_900,
    1_900,
    COMMENT,
    JSON.stringify(lines),
    `api_key:${rows[0].key_id}`,
  ];
}

function insertOrders(bench: Bench, program: Program, values: (string | number)[]): Side['run'] {
  const loop = bench.started.use(startPart<InsertJob, Measurement>('insert-loop.ts'));
  return fresh((first, durationMs) =>
    loop.send({
      connection: { ...program.postgres },
      connections: DATABASE_CONNECTIONS,
      durationMs,
      statement: INSERT,
      values,
      ids: { ...PARTIES, id: { prefix: LOOP_PREFIX, first, count: WITHOUT_END } },
    }),
  );
}

async function assertKept(database: pg.Client, prefix: string, acknowledged: number): Promise<void> {
  const { rows } = await database.query(
    `select count(*)::int as orders, count(m.version)::int as transitions
     from orders o left join order_transitions m on m.platform_id = o.platform_id and m.order_external_id = o.external_id
     where starts_with(o.external_id, $1)`,
    [prefix],
  );
  const { orders, transitions } = rows[0];
  if (orders === acknowledged && transitions === acknowledged) return;
  throw new Error(
    `${acknowledged} orders ${prefix}… were acknowledged, but the database has ${orders}, with ${transitions} transitions.`,
  );
}
