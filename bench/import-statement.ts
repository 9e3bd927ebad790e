/** B1: how long does a statement of 10,000 entries take, until all of them are booked or queued, and with how much memory? */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { camt053, OUR_IBAN, type WrittenEntry } from '#test/bank-files';
import { copyInvoice } from '#test/invoice-copies';
import { withinSeconds } from './support/beside.ts';
import { allIds } from './support/ids.ts';
import { LINES, PARTIES, registerParties } from './support/orders.ts';
import { startPart } from './support/part.ts';
import { temporaryFolder } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';
import type { StatementJob, StatementMeasurement } from './support/statement-load.ts';

const ENTRIES = 10_000;
/** The size of a preceding statement, which loads the code. */
const WARM_UP_ENTRIES = 100;
const BAR_SECONDS = 10;
const MEMORY_BAR_BYTES = 100_000_000;
const GROSS = 11_900;
const DAY_SECONDS = 86_400;

export const importStatement: Question = { name: 'import-statement', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress } = bench;
  progress('registering buyers and merchants, and writing invoices');
  await registerParties(program);
  await writeInvoices(bench, (WARM_UP_ENTRIES + ENTRIES) / 2);
  const folder = temporaryFolder(started);
  const writeStatement = (name: string, first: number, count: number) => {
    const entries = Array.from({ length: count }, (_, nth) => entryOf(first + nth));
    writeFileSync(join(folder, name), camt053({ day: yesterday(), entries }));
    return join(folder, name);
  };
  const paths = [
    writeStatement('small.xml', 0, WARM_UP_ENTRIES),
    writeStatement('statement.xml', WARM_UP_ENTRIES, ENTRIES),
  ] as const;
  progress(`importing ${ENTRIES.toLocaleString('en')} entries`);
  const part = started.use(startPart<StatementJob, StatementMeasurement>('statement-load.ts'));
  const measured = await part.send({ dataDir: program.dataDir, paths, iban: OUR_IBAN });
  if (measured.newEntries !== ENTRIES || measured.matched !== ENTRIES / 2 || measured.queued !== ENTRIES / 2)
    throw new Error(`Of ${ENTRIES} entries, half of which pay an invoice: ${JSON.stringify(measured)}`);
  return findingOf(measured);
}

const yesterday = () => new Date(Date.now() - DAY_SECONDS * 1_000).toISOString().slice(0, 10);

/** Every other entry pays an invoice by its number; the rest have no reference. */
function entryOf(nth: number): WrittenEntry {
  const isNamed = nth % 2 === 0;
  return {
    amount: isNamed ? GROSS : 1 + nth,
    reference: `BENCH-${nth}`,
    endToEndId: `E2E-${nth}`,
    name: 'Café Morgenrot eG',
    text: isNamed ? `Invoice RE-${1 + nth / 2}` : 'Thank you for the beans',
  };
}

/** Writes one invoice through the API, and copies of it with the numbers in the statement. */
async function writeInvoices({ program, started }: Bench, count: number): Promise<void> {
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const query = async (sql: string) => (await owner.query(sql)).rows;
  const buyers = allIds(PARTIES.buyer);
  await program.send('POST', '/v1/invoices', {
    external_id: 'paid',
    buyer_external_id: buyers[0],
    merchant_external_id: allIds(PARTIES.merchant)[0],
    amount: { net: 10_000, tax: 1_900, gross: GROSS },
    line_items: LINES,
    payment_method: 'TRANSFER',
    due_at: Math.floor(Date.now() / 1_000) + 10 * DAY_SECONDS,
  });
  await copyInvoice(query, { invoice: 'paid', count, buyers });
  await query(
    `update invoices set invoice_number = 'RE-' || substr(external_id, 6) where external_id like 'paid-%'`,
  );
  await query('analyze');
}

function findingOf({ importMs, bookMs, begunBytes, beforeBytes, peakBytes }: StatementMeasurement): Finding {
  const seconds = (importMs + bookMs) / 1_000;
  const moreBytes = peakBytes - beforeBytes;
  const inMb = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
  return {
    id: 'B1',
    what: `a statement of ${ENTRIES.toLocaleString('en')} entries, until all are booked or queued`,
    ...withinSeconds(ENTRIES, seconds, BAR_SECONDS),
    bar: `≥ 1, ≤ ${inMb(MEMORY_BAR_BYTES)}`,
    p50Ms: null,
    p99Ms: null,
    notes: [
      `The file was read and its entries written in ${(importMs / 1_000).toFixed(1)} s, and booked in ${(bookMs / 1_000).toFixed(1)} s: half of them pay an invoice by its number, half wait in the queue. The bar of ${BAR_SECONDS} s is ${seconds <= BAR_SECONDS ? 'met' : 'missed'}.`,
      `Resident memory of the importing process: ${inMb(begunBytes)} when it began, ${inMb(beforeBytes)} after a statement of ${WARM_UP_ENTRIES} entries and ${inMb(peakBytes)} at most, ${inMb(moreBytes)} more; the bar of ${inMb(MEMORY_BAR_BYTES)} is ${moreBytes <= MEMORY_BAR_BYTES ? 'met' : 'missed'}.`,
    ],
  };
}
