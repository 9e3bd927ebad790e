/** I2: what does a payment that settles an invoice, its order and its credit cost, compared to placing the order? */
import pg from 'pg';
import { compare } from './support/compare.ts';
import { idAt } from './support/ids.ts';
import { INVOICES, postPayments, prepareInvoices } from './support/invoices.ts';
import { counting, HTTP_CONNECTIONS, ORDER_ON_CREDIT, registerDebtors } from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

export const createPayment: Question = { name: 'create-payment', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, progress } = bench;
  progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  const database = new pg.Client(program.postgres);
  await database.connect();
  bench.started.defer(() => database.end());
  const placeOrders = await prepareInvoices(bench);
  const { outstanding_amount: owed } = await program.send('GET', `/v1/invoices/${idAt(INVOICES, 0)}`);

  const subject = counting({
    name: 'payments, each of a whole invoice',
    run: postPayments(bench, owed as number),
  });
  const baseline = { name: 'POST /v1/orders, the subject of P3', run: placeOrders };
  const finding = await compare(bench, { subject, baseline });
  await assertPaid(database, subject.done());
  return {
    ...finding,
    id: 'I2',
    bar: '≥ 0.4',
    notes: [
      `Both sides are the service itself: ${HTTP_CONNECTIONS} keep-alive connections, one request at a time on each; every response was a 201. Each payment settles an invoice, closes its order and releases its credit.`,
      `The database holds exactly the ${subject.done()} payments that were acknowledged, each with its allocation, its events and its entries of both ledgers.`,
      ...finding.notes,
    ],
  };
}

async function assertPaid(database: pg.Client, acknowledged: number): Promise<void> {
  const { rows } = await database.query(
    `select
      (select count(*)::int from invoice_payments) as payments,
      (select count(*)::int from payment_allocations) as allocations,
      (select count(*)::int from invoices where status = 'CLOSED' and outstanding_amount = 0) as closed,
      (select count(*)::int from orders where status = 'CLOSED') as orders,
      (select count(*)::int from events where type = 'INVOICE.PAYMENT.RECORDED') as recorded,
      (select count(*)::int from events where type = 'INVOICE.CLOSED') as events,
      (select count(*)::int from ledger_entries where cause = 'PAYMENT_RECORDED') as entries,
      (select (sum(-used_change) / $1)::int from facility_ledger where cause = 'INVOICE_PAID') as released`,
    [ORDER_ON_CREDIT.amount.gross],
  );
  if (Object.values(rows[0]).every((count) => count === acknowledged)) return;
  throw new Error(
    `${acknowledged} payments were acknowledged, but the database has ${JSON.stringify(rows[0])}.`,
  );
}
