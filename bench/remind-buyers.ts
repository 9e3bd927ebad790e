/**
 * M1: how long do the 10,000 reminders of a morning take from the first step to the mail server, among a million open invoices, and how
 * does it affect requests?
 */
import pg from 'pg';
import { openDatabase } from '#infra/database/database';
import { DEFAULT_DUNNING_PLAN, reminders } from '#modules/dunning';
import { testAuthorityPath } from '#test/certificates';
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
import { startMailReceiver } from './support/mail-receiver.ts';
import { LINES, PARTIES, registerDebtors } from './support/orders.ts';
import { type Program, startProgram } from './support/program.ts';
import type { Bench, Finding, Question } from './support/question.ts';

/** A buyer gets one mail for each merchant. */
const CREDITORS = 10;
/** Each with other creditors. Several, because the p99 of the requests during one morning varies by a third. */
const MORNINGS = 3;
const REMINDERS = CREDITORS * PARTIES.buyer.count;
/** 200 a second. */
const BAR_SECONDS = REMINDERS / 200;
const SWEEP_BAR_SECONDS = 5;
const P99_MAX = 1.5;
const DAY_SECONDS = 86_400;
const THURSDAY = 4;

export const remindBuyers: Question = { name: 'remind-buyers', run };

async function run(bench: Bench): Promise<Finding> {
  const { started, progress } = bench;
  const dueOn = thursdayAfter(Date.now() / 1_000 + 20 * DAY_SECONDS);
  const owner = await ownerOf(bench.program);
  await prepare(bench, owner.query, dueOn);
  await owner.end();
  progress('starting the program with a mail server');
  await bench.program.end('SIGTERM');
  const receiver = started.use(await startMailReceiver());
  const program = await startProgram({
    started,
    profileFolder: bench.profileFolder,
    dataDir: bench.program.dataDir,
    settings: { SMTP_URL: receiver.url, SMTP_FROM: 'orders@example.com', SMTP_CA_FILE: testAuthorityPath },
  });
  const { query, end } = await ownerOf(program);
  started.defer(end);
  // From Monday on, three days before the due day, at the start of working hours.
  const remindedAt = (await query('select distinct dunning_at::int as at from invoices order by at')) as {
    at: number;
  }[];

  let sweptMs = 0;
  const remind = async (morning: number) => {
    const { at } = remindedAt[morning] as { at: number };
    sweptMs = Math.max(sweptMs, await sweep(program, at));
    const tookMs = await runTask(query, {
      barSeconds: BAR_SECONDS,
      begin: clockAt(at),
      findLeft: `select from invoices where dunning_at <= ${at}
        union all select from mails where kind = 'reminder_due_soon' and status = 'PENDING' limit 1`,
    });
    const [sent, due] = [receiver.count(), REMINDERS * (morning + 1)];
    if (sent < due) throw new Error(`Only ${sent} of ${due} reminders arrived.`);
    return tookMs;
  };
  const beside = await measureBeside({ ...bench, program }, 'later', remind, MORNINGS);
  return findingOf(beside, { sweptMs, invoices: bench.invoices });
}

/** Runs statements as the owner of the tables. */
async function ownerOf({ postgresOwner }: Program): Promise<{ query: Query; end(): Promise<void> }> {
  const owner = new pg.Client(postgresOwner);
  await owner.connect();
  return { query: async (sql) => (await owner.query(sql)).rows, end: () => owner.end() };
}

/** Writes the parties, the plan and the invoices, and lets the worker examine those with a coming step, as happens days before it. */
async function prepare({ program, progress, invoices }: Bench, query: Query, dueOn: number): Promise<void> {
  progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  await query(`insert into dunning_plan_versions (platform_id, merchant_external_id, buyer_external_id, version, valid_from, set_by, plan)
    select platform_id, '', '', 1, 0, 'operator:bench', '${JSON.stringify(DEFAULT_DUNNING_PLAN)}' from platforms`);
  await query(`insert into reminded_parties (platform_id, merchant_external_id, buyer_external_id)
    select platform_id, '', '' from platforms`);
  progress(`writing ${invoices.toLocaleString('en')} invoices`);
  await writeInvoices(program, query, { dueOn, invoices });
  progress('looking at the invoices for the first time');
  const lookedAt = dueOn + (MORNINGS - 1 - 14) * DAY_SECONDS;
  await runTask(query, {
    begin: clockAt(lookedAt),
    findLeft: `select from invoices where dunning_at <= ${lookedAt} limit 1`,
    barSeconds: BAR_SECONDS,
  });
  await query('vacuum analyze');
}

const clockAt = (at: number) =>
  `update platforms set clock_ahead_seconds = ${Math.round(at - Date.now() / 1_000)}`;

/** Finds all invoices with a due step, as the worker does in batches. Returns the milliseconds that it took. */
async function sweep({ postgres }: Program, remindedAt: number): Promise<number> {
  const { db, close } = openDatabase({ connection: postgres, connectionsMax: 1 });
  const startedAtMs = performance.now();
  const [platformId] = await reminders.findPlatforms(db, remindedAt);
  const found = await reminders.findNext(db, platformId as number, remindedAt, REMINDERS + 1, []);
  const tookMs = performance.now() - startedAtMs;
  await close();
  if (found.length !== REMINDERS) throw new Error(`${found.length} invoices have a step due.`);
  return tookMs;
}

/**
 * Writes the invoices. Those due on the day and the following days belong to all buyers, with different merchants for each day. All others
 * are due much later.
 */
async function writeInvoices(
  program: Program,
  query: Query,
  { dueOn, invoices }: { dueOn: number; invoices: number },
): Promise<void> {
  const [buyers, merchants] = [allIds(PARTIES.buyer), allIds(PARTIES.merchant)];
  const add = (external_id: string, merchant: string | undefined, due_at: number) =>
    program.send('POST', '/v1/invoices', {
      ...{ external_id, due_at, buyer_external_id: buyers[0], merchant_external_id: merchant },
      ...{
        amount: { net: 10_000, tax: 1_900, gross: 11_900 },
        line_items: LINES,
        payment_method: 'TRANSFER',
      },
    });
  for (const [nth, merchant] of merchants.slice(0, MORNINGS * CREDITORS).entries()) {
    await add(`soon-${nth}`, merchant, dueOn + Math.floor(nth / CREDITORS) * DAY_SECONDS);
    await copyInvoice(query, { invoice: `soon-${nth}`, count: buyers.length - 1, buyers });
  }
  await add('later', merchants[0], dueOn + 300 * DAY_SECONDS);
  await copyInvoice(query, {
    invoice: 'later',
    count: Math.max(0, invoices - MORNINGS * REMINDERS - 1),
    buyers,
  });
  await query('analyze');
}

/** At noon of the first Thursday after an instant, in unix seconds. */
function thursdayAfter(at: number): number {
  const midnight = Math.ceil(at / DAY_SECONDS) * DAY_SECONDS;
  const weekday = new Date(midnight * 1_000).getUTCDay();
  return midnight + ((THURSDAY - weekday + 7) % 7) * DAY_SECONDS + DAY_SECONDS / 2;
}

function findingOf(beside: Beside, { sweptMs, invoices }: { sweptMs: number; invoices: number }): Finding {
  const took = secondsText(beside.tookMs / 1_000, BAR_SECONDS, 'from the step to the mail server, over TLS');
  const swept = secondsText(sweptMs / 1_000, SWEEP_BAR_SECONDS, 'a range of one index');
  return taskFinding(beside, {
    id: 'M1',
    what: `${REMINDERS.toLocaleString('en')} reminders of one morning, among ${invoices.toLocaleString('en')} open invoices`,
    count: REMINDERS,
    barSeconds: BAR_SECONDS,
    p99Max: P99_MAX,
    note: `On the slowest of ${MORNINGS} mornings, all mails were sent after ${took}. Finding the invoices took ${swept}.`,
  });
}
