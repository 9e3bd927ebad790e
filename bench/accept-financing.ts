/** F1: what does a requested and accepted financing cost, compared to placing the order of its invoice? */
import pg from 'pg';
import { FILES } from '#test/files';
import { compare } from './support/compare.ts';
import { allIds, idAt } from './support/ids.ts';
import { INVOICE_PREFIX, INVOICES, prepareInvoices } from './support/invoices.ts';
import {
  counting,
  HTTP_CONNECTIONS,
  ORDER_ON_CREDIT,
  PARTIES,
  posting,
  registerDebtors,
} from './support/orders.ts';
import type { Program } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

export const acceptFinancing: Question = { name: 'accept-financing', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, progress } = bench;
  progress('registering buyers and merchants, granting facilities and verifying accounts');
  await registerDebtors(program);
  await verifyAccounts(program);
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  bench.started.defer(() => owner.end());
  const placeOrders = await prepareInvoices(bench);
  progress('adding files');
  await addFiles(program, owner);

  const subject = counting({
    name: 'POST …/services/FINANCING, each accepted',
    run: posting(bench, {
      path: '/v1/invoices/{id}/services/FINANCING',
      body: { terms_accepted_at: 1_763_640_000 },
      prefixes: { id: INVOICE_PREFIX },
    }),
  });
  const baseline = { name: 'POST /v1/orders, the subject of P3', run: placeOrders };
  const finding = await compare(bench, { subject, baseline });
  await assertAccepted(owner, subject.done());
  return {
    ...finding,
    id: 'F1',
    bar: '≥ 0.4',
    notes: [
      `Both sides are the service itself: ${HTTP_CONNECTIONS} keep-alive connections, one request at a time on each; every response was a 201. Each request makes a service, examines it and accepts it.`,
      `The database holds exactly the ${subject.done()} financings that were acknowledged, all ACCEPTED, each with its history, its events, its entry of the ledger and its line of a payout.`,
      ...finding.notes,
    ],
  };
}

/** All merchants have the same account. */
async function verifyAccounts(program: Program): Promise<void> {
  for (const merchant of allIds(PARTIES.merchant)) {
    const external_id = `account-of-${merchant}`;
    await program.send('POST', '/v1/payout_instructions', {
      ...{ external_id, merchant_external_id: merchant, type: 'SEPA' },
      ...{ beneficiary_name: 'Café Morgenrot eG', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    });
    await program.send('POST', '/v1/sandbox/payout_instructions', { external_id, trigger: 'verify' });
  }
}

/** One file through the API, which the other invoices share. */
async function addFiles({ baseUrl, apiKey }: Program, owner: pg.Client): Promise<void> {
  const path = `/v1/invoices/${idAt(INVOICES, 0)}/files?file_external_id=file&kind=INVOICE&name=invoice.pdf`;
  const { status } = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/pdf' },
    body: FILES['application/pdf'],
  });
  if (status !== 201) throw new Error(`The file of an invoice was answered with ${status}.`);
  await owner.query(`
    insert into invoice_files overriding user value
    select (jsonb_populate_record(f, jsonb_build_object('invoice_external_id', i.external_id))).*
    from invoice_files f join invoices i on i.platform_id = f.platform_id and i.external_id <> f.invoice_external_id`);
  await owner.query('analyze');
}

async function assertAccepted(owner: pg.Client, acknowledged: number): Promise<void> {
  const { rows } = await owner.query(
    `select
      (select count(*)::int from invoice_services where status = 'ACCEPTED') as services,
      (select count(*)::int from invoices where is_financed and financing_status = 'ACCEPTED') as invoices,
      (select (count(*) / 2)::int from invoice_service_transitions) as transitions,
      (select count(*)::int from events where type = 'INVOICE.FINANCING.ACCEPTED') as events,
      (select count(*)::int from ledger_entries where cause = 'ADVANCE_ACCEPTED') as entries,
      (select (sum(amount) / $1)::int from ledger_lines where account = 'buyer_receivable') as receivables,
      (select count(*)::int from payout_lines) as lines`,
    [ORDER_ON_CREDIT.amount.gross],
  );
  if (Object.values(rows[0]).every((count) => count === acknowledged)) return;
  throw new Error(
    `${acknowledged} financings were acknowledged, but the database has ${JSON.stringify(rows[0])}.`,
  );
}
