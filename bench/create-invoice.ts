/** I1: what does an invoice cost, compared to the order that it is made of? */
import pg from 'pg';
import { compare } from './support/compare.ts';
import { postInvoices, postOrdersToInvoice } from './support/invoices.ts';
import { counting, HTTP_CONNECTIONS, ORDER_ON_CREDIT, registerDebtors } from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

export const createInvoice: Question = { name: 'create-invoice', run };

async function run(bench: Bench): Promise<Finding> {
  bench.progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(bench.program);
  const database = new pg.Client(bench.program.postgres);
  await database.connect();
  bench.started.defer(() => database.end());

  const subject = counting({ name: 'POST /v1/invoices, each of an order', run: postInvoices(bench) });
  const baseline = { name: 'POST /v1/orders, the subject of P3', run: postOrdersToInvoice(bench) };
  const finding = await compare(bench, { subject, baseline });
  await assertInvoiced(database, subject.done());
  return {
    ...finding,
    id: 'I1',
    bar: '≥ 0.5',
    notes: [
      `Both sides are the service itself: ${HTTP_CONNECTIONS} keep-alive connections, one request at a time on each; every response was a 201. The subject invoices the orders of the baseline, each in whole.`,
      `The database holds exactly the ${subject.done()} invoices that were acknowledged, each with its instalment, its transition, its event and its credit entry, and the facilities use exactly their sum.`,
      ...finding.notes,
    ],
  };
}

async function assertInvoiced(database: pg.Client, acknowledged: number): Promise<void> {
  const { rows } = await database.query(
    `select
      (select count(*)::int from invoices) as invoices,
      (select count(*)::int from invoice_transitions) as transitions,
      (select count(*)::int from invoice_installments) as installments,
      (select count(*)::int from events where type = 'INVOICE.CREATED') as events,
      (select count(*)::int from facility_ledger where cause = 'ORDER_INVOICED') as entries,
      (select sum(used_amount)::bigint from facilities) as used`,
  );
  const { used, ...counts } = rows[0];
  const isEach = Object.values(counts).every((count) => count === acknowledged);
  if (isEach && Number(used) === acknowledged * ORDER_ON_CREDIT.amount.gross) return;
  throw new Error(
    `${acknowledged} invoices were acknowledged, but the database has ${JSON.stringify(rows[0])}.`,
  );
}
