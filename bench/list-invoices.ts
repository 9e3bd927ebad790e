/** I3: does a page of invoices with its exact total cost the same at a million rows as at ten thousand? */
import pg from 'pg';
import { compare, type Side } from './support/compare.ts';
import type { HttpLoadJob } from './support/http-load.ts';
import { idAt, type Series } from './support/ids.ts';
import { type Measurement, median } from './support/measure.ts';
import { PARTIES, registerParties } from './support/orders.ts';
import { startPart } from './support/part.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const ROWS = 1_000_000;
const ROWS_OF_BASELINE = 10_000;
const CONNECTIONS = 4;
const P50_RATIO_BAR = 1.5;
const WRITTEN_AT_ONCE = 100_000;
const INVOICE_PREFIX = 'invoice-';

export const listInvoices: Question = { name: 'list-invoices', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started } = bench;
  const smaller = await startProgram({ started, profileFolder: null });
  const baseline = await side(bench, smaller, ROWS_OF_BASELINE);
  const subject = await side(bench, program, ROWS);
  const finding = await compare(bench, { subject, baseline });
  const ratio = median(subject.p50sMs.map((p50Ms, round) => p50Ms / (baseline.p50sMs[round] ?? Number.NaN)));
  return {
    ...finding,
    id: 'I3',
    bar: `p50 ≤ ${P50_RATIO_BAR} ×`,
    notes: [
      `Two programs, each with a database of its own; ${CONNECTIONS} keep-alive connections, one request at a time on each. The newest 100 invoices and the exact total, which is checked before.`,
      `p50 is ${ratio.toFixed(2)} × that of the baseline: the bar is ${ratio <= P50_RATIO_BAR ? 'met' : 'missed'}.`,
      ...finding.notes,
    ],
  };
}

/** Also keeps the p50 of each round. */
async function side(
  { started, progress }: Bench,
  program: Program,
  rows: number,
): Promise<Side & { p50sMs: number[] }> {
  progress(`writing ${rows.toLocaleString('en')} invoices`);
  await registerParties(program);
  await writeInvoices(program, rows);
  const { total } = await program.send('GET', '/v1/invoices?limit=1');
  if (total !== rows) throw new Error(`The total of ${rows} invoices is ${total}.`);
  const load = started.use(startPart<HttpLoadJob, Measurement>('http-load.ts'));
  const newest: Series = { prefix: INVOICE_PREFIX, first: rows - 1, count: 1 };
  const p50sMs: number[] = [];
  return {
    name: `GET /v1/invoices, 100 of ${rows.toLocaleString('en')} with the total`,
    p50sMs,
    async run(durationMs) {
      const measurement = await load.send({
        baseUrl: program.baseUrl,
        method: 'GET',
        path: '/v1/invoices',
        headers: { Authorization: `Bearer ${program.apiKey}` },
        ids: { id: newest },
        status: 200,
        connections: CONNECTIONS,
        durationMs,
      });
      p50sMs.push(measurement.p50Ms);
      return measurement;
    },
  };
}

/** Writes a constant number per second, of all buyers and merchants in turn, each with its instalment. Nine of ten are paid. */
async function writeInvoices(program: Program, rows: number): Promise<void> {
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  const idOf = (column: string, { prefix, count }: Series) =>
    `'${prefix}' || lpad((${column} % ${count})::text, ${idAt({ prefix: '', first: 0, count: 1 }, 0).length}, '0')`;
  try {
    for (let first = 0; first < rows; first += WRITTEN_AT_ONCE)
      await owner.query(
        `with written as (
          insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
            invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, invoice_number, currency,
            amount_net, amount_tax, amount_gross, paid_amount, paid_at, line_items)
          select 1, ${idOf('n', { prefix: INVOICE_PREFIX, first: 0, count: rows })},
            case when n % 10 = 0 then 'OPEN' else 'CLOSED' end, ${idOf('n', PARTIES.buyer)}, ${idOf('n', PARTIES.merchant)},
            1700000000 + n, 1700000000 + n, 1700000000 + n, 4000000000, '2096-10-02', 4000000000,
            case when n % 10 = 0 then 4000000000 end, 'TRANSFER', 'RF' || n, 'R-' || n, 'EUR', 10000 + n % 5000, 1900,
            11900 + n % 5000, case when n % 10 = 0 then 0 else 11900 + n % 5000 end,
            case when n % 10 = 0 then null else 1700000000 + n end, '[]'
          from generate_series($1::int, $2::int) n
          returning *
        )
        insert into invoice_installments (platform_id, invoice_external_id, number, due_at, due_on, amount, paid_amount)
        select platform_id, external_id, 1, due_at, due_on, amount_gross, paid_amount from written`,
        [first, Math.min(rows, first + WRITTEN_AT_ONCE) - 1],
      );
    await owner.query('vacuum analyze invoices, invoice_installments, list_counts');
  } finally {
    await owner.end();
  }
}
