/** I4: how long do 100,000 invoices of one platform take to fall due at midnight, and how does it affect requests? */
import pg from 'pg';
import { copyInvoice } from '#test/invoice-copies';
import {
  type Beside,
  measureBeside,
  type Query,
  runTask,
  secondsText,
  taskFinding,
} from './support/beside.ts';
import { allIds } from './support/ids.ts';
import { LINES, PARTIES, registerDebtors } from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const INVOICES = 100_000;
const BAR_SECONDS = 60;
const DAY_SECONDS = 86_400;

export const fallDue: Question = { name: 'fall-due', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress } = bench;
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const query: Query = async (sql) => (await owner.query(sql)).rows;
  progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  const buyers = allIds(PARTIES.buyer);
  progress(`writing ${INVOICES.toLocaleString('en')} invoices`);
  await writeInvoices(bench, query, buyers);

  const beside = await measureBeside(bench, 'due', () =>
    runTask(query, {
      begin: `update platforms set clock_ahead_seconds = ${11 * DAY_SECONDS}`,
      findLeft: 'select from invoices where falls_due_at is not null limit 1',
      barSeconds: BAR_SECONDS,
    }),
  );
  return findingOf(beside);
}

/** One invoice through the API, and copies of it. */
async function writeInvoices({ program }: Bench, query: Query, buyers: readonly string[]): Promise<void> {
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

function findingOf(beside: Beside): Finding {
  const took = secondsText(beside.tookMs / 1_000, BAR_SECONDS, 'each with history, event and overdue amount');
  return taskFinding(beside, {
    id: 'I4',
    what: `${INVOICES.toLocaleString('en')} invoices of one platform that fall due at one midnight`,
    count: INVOICES,
    barSeconds: BAR_SECONDS,
    note: `All were DUE after ${took}. They belong to ${PARTIES.buyer.count.toLocaleString('en')} buyers.`,
  });
}
