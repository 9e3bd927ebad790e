/**
 * Sixteen clients pay, reverse, credit, refund and order on one facility, and the server is repeatedly killed with SIGKILL.
 * `PAYMENT_KILLS` in the environment selects the long run. `SEED` repeats the choices of a run.
 */

import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { invoiceLifecycle } from '#modules/invoices';
import { orderLifecycle } from '#modules/orders';
import { buyerBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { auditCredit } from '#test/credit';
import * as events from '#test/event-audit';
import { patience } from '#test/patience';
import {
  INVOICED_GROSS,
  INVOICES_AT_ONCE,
  orderOnCredit,
  PAYING_CLIENTS,
  PaymentLoad,
} from '#test/payment-load';
import { endPrograms, launchProgram, type RunningProgram, runCommand, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { eventually, until } from '#test/until';

const KILLS = Number(process.env.PAYMENT_KILLS ?? 3);
const SEED = Number(process.env.SEED ?? randomInt(2 ** 31));
/** Per client, between two kills. */
const STEPS = 12;
/** Minor units: low enough that some orders do not fit. */
const LIMIT = 26 * INVOICED_GROSS;

vi.setConfig({ testTimeout: patience(60) });

let program: RunningProgram;
let load: PaymentLoad;
let audit: events.Audit;

beforeAll(
  async () => {
    program = await startProgram({ args: ['--empty'] });
    load = new PaymentLoad(program.apiKey, await addInvoices());
    await aim();
    const steps = STEPS * (KILLS + 1);
    const running = load.run(steps, SEED);
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(() => load.acknowledged >= (PAYING_CLIENTS * steps * kill) / (KILLS + 1));
      await killAndStartAgain();
    }
    await running;
    report();
  },
  patience(120 + KILLS * 30),
);

afterAll(async () => {
  await load?.server.aim(null);
  await program?.stop();
  await endPrograms();
});

async function addInvoices(): Promise<string[]> {
  const buyer = 'buyer';
  const invoices = Array.from({ length: INVOICES_AT_ONCE }, (_, nth) => `invoice-${nth}`);
  const orderOf = (invoice: string) => `order-of-${invoice}`;
  const requests: (readonly [string, object])[] = [
    ['/v1/merchants', merchantBody({})],
    ['/v1/buyers', buyerBody({ external_id: buyer })],
    ['/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'grant', total_amount: LIMIT }],
    ...invoices.map((id) => ['/v1/orders', orderOnCredit(orderOf(id))] as const),
    ...invoices.map((external_id) => {
      const amount = { net: INVOICED_GROSS, gross: INVOICED_GROSS };
      return ['/v1/invoices', { external_id, order_external_ids: [orderOf(external_id)], amount }] as const;
    }),
  ];
  for (const [path, body] of requests) {
    const { status, text } = await post(program, path, body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status} ${text}`);
  }
  return invoices;
}

async function aim(): Promise<void> {
  audit = await events.auditOf(program.dataDir);
  await load.server.aim(program.baseUrl);
}

async function killAndStartAgain(): Promise<void> {
  process.kill(program.pid, 'SIGKILL');
  await load.server.aim(null);
  await program.exited;
  const launched = launchProgram({ dataDir: program.dataDir });
  program = { ...program, ...launched, env: program.env, baseUrl: (await launched.ready).baseUrl };
  await aim();
}

function report(): void {
  const { payments, reversed, creditNotes, orders, acknowledged, refusals, server } = load;
  console.log(
    `seed ${SEED}, ${KILLS} kills: ${payments.length} payments, ${reversed.length} reversed, ${creditNotes.length} credit notes ` +
      `and ${orders.length} orders of ${acknowledged} answers, ${server.unanswered} requests without one; refused: ` +
      JSON.stringify(Object.fromEntries(refusals)),
  );
}

const sorted = (list: readonly unknown[]) => list.map(String).sort();

describe(`after payments on ${INVOICES_AT_ONCE} invoices at once of one facility and ${KILLS} kills`, () => {
  it('every request was answered as it should', () => {
    expect(load.surprises).toEqual([]);
    expect(load.server.unanswered).toBeGreaterThanOrEqual(KILLS);
    expect(load.acknowledged).toBe(PAYING_CLIENTS * STEPS * (KILLS + 1) + load.orders.length);
    expect(Math.min(load.payments.length, load.reversed.length, load.creditNotes.length)).toBeGreaterThan(0);
    expect(load.refusals.size).toBeGreaterThan(1);
  });

  it('what was answered with success is stored, once, and nothing else', async () => {
    const idsOf = async (rows: string) => sorted((await audit(rows)).map(({ id }) => id));
    expect(await idsOf('select external_id as id from invoice_payments')).toEqual(
      sorted(load.payments.map(({ id }) => id)),
    );
    expect(
      await idsOf('select external_id as id from invoice_payments where reversed_at is not null'),
    ).toEqual(sorted(load.reversed));
    expect(await idsOf('select external_id as id from credit_notes')).toEqual(sorted(load.creditNotes));
    expect(
      await idsOf("select external_id as id from orders where external_id not like 'order-of-%'"),
    ).toEqual(sorted(load.orders));
  });

  it('each payment was booked once, and each entry reversed at most once', async () => {
    const twice = await audit(`
      select payment_id, count(*) from ledger_entries where cause = 'PAYMENT_RECORDED' group by 1 having count(*) > 1
      union all
      select reverses_entry::text, count(*) from ledger_entries where reverses_entry is not null group by 1 having count(*) > 1`);
    expect(twice).toEqual([]);
    const unbooked = await audit(`
      select external_id from invoice_payments p where received_by = 'PLATFORM' and not exists (
        select from ledger_entries where platform_id = p.platform_id and payment_id = p.external_id
          and cause = 'PAYMENT_RECORDED')`);
    expect(unbooked).toEqual([]);
  });

  it('each change has one event, and positions have no gap', async () => {
    const caused = await audit(`
      select external_id || ' INVOICE.PAYMENT.RECORDED' as event from invoice_payments
      union all select external_id || ' INVOICE.PAYMENT.REVERSED' from invoice_payments where reversed_at is not null
      union all select external_id || ' CREDIT_NOTE.CREATED' from credit_notes`);
    const recorded = await audit(`
      select resource_external_id || ' ' || type as event from events
      where type like 'INVOICE.PAYMENT.%' or type = 'CREDIT_NOTE.CREATED'`);
    expect(sorted(recorded.map(({ event }) => event))).toEqual(sorted(caused.map(({ event }) => event)));
    expect(await events.transitionsWithOtherEvents(audit, 'invoice', invoiceLifecycle)).toEqual([]);
    expect(await events.transitionsWithOtherEvents(audit, 'order', orderLifecycle)).toEqual([]);
    await eventually(async () => expect(await events.platformsWithGaps(audit)).toEqual([]));
  });

  it('nothing was authorized beyond the limit', async () => {
    const beyond =
      await audit(`select entry, cause, used_amount, pending_orders_amount, total_amount from facility_ledger
      where used_change + pending_orders_change > 0 and cause <> 'INVOICE_REOPENED'
        and used_amount + pending_orders_amount > total_amount`);
    expect(beyond).toEqual([]);
  });

  it('credit, documents and books say the same', async () => {
    const sql = audit as never;
    expect(await auditCredit({ sql })).toEqual([]);
    expect(await auditBooks({ sql })).toEqual([]);
    // Both chains of hashes, after the last entries are numbered.
    const { code, stdout, stderr } = await runCommand(['ledger', 'verify'], program.env);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  });
});
