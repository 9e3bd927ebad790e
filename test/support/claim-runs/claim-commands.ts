/** What can happen to claims: each command does one thing at random, which the service may refuse. */
import { matchByOperator, unmatchByOperator } from '#modules/banking';
import { defaultWriteOff } from '#modules/financing';
import {
  applyPayment,
  findLateCharge,
  type LateChargeRow,
  lockToSettle,
  waiveLateCharge,
} from '#modules/invoices';
import { ledgerClosing } from '#modules/ledger';
import { approveChange, type ChangeKind, requestChange } from '#modules/operators';
import { draftOrderBody, invoiceBody } from '../bodies.ts';
import { addLateCharge } from '../late-charges.ts';
import type { ClaimRun } from './claim-run.ts';

type Command = (run: ClaimRun) => Promise<unknown>;

const DAY = 86_400;
const GROSS_MAX = 30_000;
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');

/** A command for one of the invoices; nothing before the first. */
const onInvoice =
  (work: (run: ClaimRun, invoice: string) => Promise<unknown>): Command =>
  async (run) => {
    const found = run.pick('invoice');
    if (found) await work(run, found.id);
  };

async function order(run: ClaimRun): Promise<void> {
  const { random } = run;
  const [external_id, gross] = [run.newId(), 1 + random.below(random.pick([10, 300, GROSS_MAX]))];
  const terms = ['DEFER_3D', 'DEFER_30D', 'SPLIT_3M', 'SPLIT_6M', 'PREPAYMENT'];
  const { status } = await run.post(
    '/v1/orders',
    draftOrderBody({
      ...{ external_id, buyer_external_id: run.buyer, merchant_external_id: run.merchant },
      ...{ amount: run.amount(gross), payment_method: 'TRANSFER', payment_term: random.pick(terms) },
    }),
  );
  if (status !== 201) return;
  run.made('order', external_id, { gross });
  await invoiceOfOrders(run);
}

/** Of one order or two, all of it or a part. */
async function invoiceOfOrders(run: ClaimRun): Promise<void> {
  const { random } = run;
  const [one, other] = [run.pick('order'), run.pick('order')];
  if (!one || !other) return;
  const orders = random.percent(80) || one.id === other.id ? [one] : [one, other];
  const sum = orders.reduce((total, { gross }) => total + gross, 0);
  const external_id = run.newId();
  const { status } = await run.post('/v1/invoices', {
    ...{ external_id, order_external_ids: orders.map(({ id }) => id) },
    amount: run.amount(random.percent(50) ? sum : 1 + random.below(sum)),
  });
  if (status !== 201) return;
  run.made('invoice', external_id);
  if (random.percent(30)) await financeInvoice(run, external_id);
}

async function plainInvoice(run: ClaimRun): Promise<void> {
  const external_id = run.newId();
  const { status } = await run.post(
    '/v1/invoices',
    invoiceBody({
      ...{ external_id, buyer_external_id: run.buyer, merchant_external_id: run.merchant },
      ...{
        due_at: run.now + run.random.below(60) * DAY,
        amount: run.amount(1 + run.random.below(GROSS_MAX)),
      },
    }),
  );
  if (status !== 201) return;
  run.made('invoice', external_id);
  if (run.random.percent(60)) await financeInvoice(run, external_id);
}

/** What is owed of the invoice, with its late charges or without, and sometimes more or less. */
async function sumFor(run: ClaimRun, invoice: string): Promise<number> {
  const { random } = run;
  const { outstanding_amount, late_charges } = await run.read(`/v1/invoices/${invoice}`);
  const owed = outstanding_amount + (random.percent(50) ? late_charges.outstanding_amount : 0);
  if (random.percent(40)) return Math.max(1, owed);
  return random.percent(30) ? owed + 1 + random.below(300) : 1 + random.below(Math.max(1, owed));
}

const pay = onInvoice(async (run, invoice) => {
  const { random } = run;
  const external_id = run.newId();
  const { status } = await run.post(`/v1/invoices/${invoice}/payments`, {
    ...{ external_id, amount: await sumFor(run, invoice) },
    received_by: random.percent(65) ? 'PLATFORM' : 'MERCHANT',
    ...(random.percent(40) && { paid_at: run.now - random.below(40 * DAY) }),
  });
  if (status === 201) run.made('payment', external_id, { invoice });
});

const payAll = onInvoice(async (run, invoice) => {
  const external_id = run.newId();
  const received_by = run.random.pick(['PLATFORM', 'MERCHANT']);
  const { status } = await run.post(`/v1/invoices/${invoice}/paid`, { external_id, received_by });
  if (status === 200) run.made('payment', external_id, { invoice });
});

const payByBank = onInvoice(async (run, invoice) => {
  const { payment_reference: text } = await run.read(`/v1/invoices/${invoice}`);
  await run.post('/v1/sandbox/bank_entries', { amount: await sumFor(run, invoice), text });
});

async function reverse(run: ClaimRun): Promise<void> {
  const payment = run.pick('payment');
  if (payment)
    await run.post(`/v1/invoices/${payment.invoice}/payments/${payment.id}/reverse`, { reason: 'Bounced.' });
}

const credit = onInvoice(async (run, invoice) => {
  const { random } = run;
  const { amount, credit_note_summary } = await run.read(`/v1/invoices/${invoice}`);
  const partOf = (minor: number) => (random.percent(25) ? minor : random.below(minor + 1));
  const net = partOf(amount.net - credit_note_summary.amount.net);
  const tax = partOf(amount.tax - credit_note_summary.amount.tax);
  if (net + tax === 0) return;
  const about = { external_id: run.newId(), invoice_external_id: invoice, reason_code: 'OTHER' };
  await run.post('/v1/credit_notes', { ...about, amount: { net, tax, gross: net + tax } });
});

const dispute = onInvoice(async (run, invoice) => {
  const { random } = run;
  const { outstanding_amount } = await run.read(`/v1/invoices/${invoice}`);
  const external_id = run.newId();
  const { status } = await run.post(`/v1/invoices/${invoice}/disputes`, {
    ...{ external_id, reason: random.pick(['DAMAGED', 'PAID_ALREADY', 'WRONG_PRICE']) },
    ...(random.percent(60) && { amount: 1 + random.below(Math.max(1, outstanding_amount)) }),
  });
  if (status === 201) run.made('dispute', external_id, { invoice });
});

async function decideDispute(run: ClaimRun): Promise<void> {
  const found = run.pick('dispute');
  if (!found) return;
  const verdict = run.random.pick(['accept', 'accept', 'reject', 'withdraw']);
  await run.post(`/v1/invoices/${found.invoice}/disputes/${found.id}/${verdict}`, { comment: 'Decided.' });
}

const charge = onInvoice(async (run, invoice) => {
  const kind = run.random.pick(['INTEREST', 'REMINDER'] as const);
  const { external_id } = await addLateCharge(run.atItsTime(), invoice, {
    ...{ kind, amountMinor: 1 + run.random.below(2_000) },
  });
  run.made('charge', external_id);
});

async function waive(run: ClaimRun): Promise<void> {
  const found = run.pick('charge');
  if (!found) return;
  await run.operate('waive', async (context) => {
    const { db, platformId } = context;
    const find = async () => (await findLateCharge(db, platformId, found.id)) as LateChargeRow;
    await lockToSettle(context, [(await find()).invoice_external_id]);
    return waiveLateCharge(context, await find(), 'Goodwill.');
  });
}

const apply = onInvoice(async (run, invoiceExternalId) => {
  const unapplied = await run.world.sql<{ id: string }>(
    `select external_id as id from invoice_payments where buyer_external_id = $1 and received_by = 'PLATFORM'
     and reversed_at is null and amount > allocated_amount order by id`,
    [run.buyer],
  );
  if (unapplied.length === 0) return;
  const paymentExternalId = run.random.pick(unapplied).id;
  const amountMinor = run.random.percent(60) ? null : 1 + run.random.below(2_000);
  await run.operate('apply', (context) =>
    applyPayment(context, { paymentExternalId, invoiceExternalId, amountMinor }),
  );
});

/** A match of the bank is taken back, and made again with other invoices. */
async function matchAgain(run: ClaimRun): Promise<void> {
  const matched = await run.world.sql<{ id: string }>(
    `select distinct m.transaction_id as id from bank_matches m
     join bank_transactions t using (platform_id, transaction_id, version)
     join invoices i on i.platform_id = m.platform_id and i.external_id = m.invoice_external_id
     where t.status = 'MATCHED' and i.buyer_external_id = $1 order by id`,
    [run.buyer],
  );
  const [one, other] = [run.pick('invoice'), run.pick('invoice')];
  if (matched.length === 0 || !one || !other) return;
  const { id } = run.random.pick(matched);
  const caller = { merchantExternalId: null } as never;
  await run.operate('unmatch', (context) => unmatchByOperator({ ...context, caller }, id, 'Another one.'));
  const invoices = [...new Set([one.id, other.id])].map((externalId) => ({ externalId, amountMinor: null }));
  await run.operate('match', (context) =>
    matchByOperator({ ...context, caller }, id, () => ({ kind: 'INVOICES', invoices }), 'Asked.'),
  );
}

async function financeInvoice(run: ClaimRun, invoice: string): Promise<void> {
  const file = `/v1/invoices/${invoice}/files?file_external_id=file&kind=INVOICE&name=x.pdf`;
  await run.world.post(file, PDF, { headers: { 'content-type': 'application/pdf' } });
  await run.post(`/v1/invoices/${invoice}/services/FINANCING`, { terms_accepted_at: run.now });
}

async function byTwo<Payload extends object>(run: ClaimRun, kind: ChangeKind<Payload>, payload: Payload) {
  const reason = 'Once.';
  const requested = await run.operate(kind.name, (context) => requestChange(context, kind, payload, reason));
  const approvalId = requested?.approvalId;
  if (approvalId == null) return;
  await run.operate(kind.name, (context) => approveChange(context, [kind], { approvalId, reason }), 'fay');
}

/** A financing defaults, and may be written off. The buyer gets credit all the same. */
const becomeDefault = onInvoice(async (run, invoice) => {
  const about = { invoice_external_id: invoice, service_type: 'FINANCING', trigger: 'default' };
  const { status, body } = await run.post('/v1/sandbox/services', about);
  if (status !== 200) return;
  await run.post('/v1/sandbox/facilities', { buyer_external_id: run.buyer, trigger: 'unfreeze' });
  if (run.random.percent(70)) await byTwo(run, defaultWriteOff, { service: body.external_id });
});

/** The bank gets what is scheduled, and pays, rejects or returns it. */
async function transitionPayouts(run: ClaimRun): Promise<void> {
  const { items } = await run.read(`/v1/payouts?merchant_external_id=${run.merchant}&limit=4`);
  const triggers: Record<string, string[]> = {
    SCHEDULED: ['instruct'],
    INSTRUCTED: ['confirm', 'confirm', 'confirm', 'fail'],
    PAID: ['', '', '', '', 'return'],
  };
  for (const { external_id, status } of items) {
    const trigger = run.random.pick(triggers[status] ?? ['']);
    if (trigger !== '') await run.post('/v1/sandbox/payouts', { external_id, trigger });
  }
}

async function wait(run: ClaimRun): Promise<void> {
  const advance_seconds = run.random.pick([0.1, 1, 1, 2, 5, 33]) * DAY;
  const { status, body } = await run.post('/v1/sandbox/clock', { advance_seconds });
  if (status === 200) run.now = body.now;
}

const closeBooks: Command = (run) =>
  byTwo(run, ledgerClosing, { until: new Date((run.now - 3 * DAY) * 1_000).toISOString().slice(0, 10) });

async function changeSettings({ world, random }: ClaimRun): Promise<void> {
  await world.sql('update platforms set term_fee_payer = $1, late_charge_order = $2, disputes_pause = $3', [
    random.pick(['BUYER', 'MERCHANT']),
    random.pick(['CHARGES_FIRST', 'PRINCIPAL_FIRST']),
    random.percent(80),
  ]);
}

const endOrder: Command = async (run) => {
  const found = run.pick('order');
  if (found) await run.post(`/v1/orders/${found.id}/${run.random.pick(['close', 'cancel'])}`);
};
const refund = onInvoice((run, invoice) => run.post(`/v1/invoices/${invoice}/refund`));
const unfinance = onInvoice((run, invoice) => run.post(`/v1/invoices/${invoice}/services/FINANCING/cancel`));

/** By how often they are to be chosen, in proportion. */
const BY_FREQUENCY: Record<number, readonly Command[]> = {
  1: [unfinance, closeBooks],
  2: [refund, onInvoice(financeInvoice), changeSettings, endOrder],
  3: [payAll, waive, matchAgain, becomeDefault],
  6: [order, plainInvoice, payByBank, reverse, credit, dispute, decideDispute, charge, apply],
  8: [invoiceOfOrders, wait],
  12: [pay, transitionPayouts],
};

/** Each as often as it is to be chosen. */
export const CLAIM_COMMANDS: readonly Command[] = Object.entries(BY_FREQUENCY).flatMap(([times, commands]) =>
  Array.from({ length: Number(times) }, () => commands).flat(),
);
