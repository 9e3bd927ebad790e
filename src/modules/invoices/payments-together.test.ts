/** Payments that arrive at the same time: one transaction gives the same result as one by one, each with its own outcome. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { buyerBody, draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { auditCredit, grantFacility } from '#test/credit';
import { makeDue } from '#test/due';
import { createWorld, type World } from '#test/world';
import { invoiceDefaults } from './default-invoices.ts';
import { dueInvoices } from './due-invoices.ts';
import { type PaymentRequest, placePayment } from './place-payment.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;
const PAID_AT = NOW + 100 * DAY;
const ON_CREDIT = { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' };

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

interface Tenant {
  on: World;
}

/** A platform with invoices of two buyers: on orders and without, whole, in instalments, due, in default and cancelled. */
async function addTenant(): Promise<Tenant> {
  world.clock.set(NOW);
  const { platform, apiKey: key } = await world.addPlatform();
  const on: World = { ...world, platform: { ...world.platform, ...platform } };
  const send = async (path: string, body: object) => {
    const { status, text } = await world.post(path, body, { key });
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  };
  const order = (external_id: string, buyer_external_id: string, more: object = ON_CREDIT) =>
    send('/v1/orders', { ...draftOrderBody({ external_id, buyer_external_id }), ...more });
  const invoice = (external_id: string, order_external_ids: string[], minor: number) =>
    send('/v1/invoices', { external_id, order_external_ids, amount: { net: minor, gross: minor } });
  await send('/v1/merchants', merchantBody({}));
  for (const buyer of ['b1', 'b2']) {
    await send('/v1/buyers', buyerBody({ external_id: buyer }));
    await grantFacility(world, { buyer, totalMinor: 1_000_000, platformId: platform.platform_id });
  }
  await order('whole', 'b1');
  await invoice('whole', ['whole'], 11_900);
  await order('halves', 'b1');
  for (const half of ['half-1', 'half-2']) await invoice(half, ['halves'], 5_950);
  await order('joint-1', 'b2');
  await order('joint-2', 'b2');
  await invoice('joint', ['joint-1', 'joint-2'], 20_000);
  await order('split', 'b2', { payment_method: 'TRANSFER', payment_term: 'SPLIT_3M' });
  await invoice('split', ['split'], 9_000);
  const due_at = NOW + DAY;
  for (const external_id of ['default', 'default-part'])
    await send('/v1/invoices', invoiceBody({ external_id, buyer_external_id: 'b2', due_at }));
  for (const external_id of ['open', 'cancelled', 'taken'])
    await send('/v1/invoices', invoiceBody({ external_id, buyer_external_id: 'b1' }));
  await send('/v1/invoices/open/payments', { external_id: 'before', amount: 900, received_by: 'PLATFORM' });
  await send('/v1/invoices/cancelled/refund', {});
  world.clock.set(PAID_AT);
  await makeDue(on, [dueInvoices, invoiceDefaults], PAID_AT, undefined);
  return { on };
}

/** Two of the payments in the middle are refused, and one has a taken external_id. */
const PAYMENTS: [invoice: string, payment: string, amountMinor: number | null, byPlatform: boolean][] = [
  ['whole', 'p-whole', null, true],
  ['half-1', 'p-half-1', null, false],
  ['joint', 'p-joint', 30_000, true],
  ['cancelled', 'p-cancelled', 1, true],
  ['split', 'p-split', 4_000, true],
  ['open', 'p-open', 99_999, false],
  ['default', 'p-default', null, true],
  ['unknown', 'p-unknown', 1, true],
  ['default-part', 'p-default-part', 500, false],
  ['taken', 'before', 100, true],
  ['half-2', 'p-half-2', null, true],
];

function requestsOf({ on }: Tenant): PaymentRequest[] {
  const { platform_id: platformId } = on.platform;
  const caller = { platformId, merchantExternalId: null } as PaymentRequest['context']['caller'];
  return PAYMENTS.map(([invoiceExternalId, external_id, amountMinor, byPlatform], nth) => ({
    context: { platformId, caller, actor: `operator:${nth}`, now: PAID_AT + nth, timeZone: 'UTC' },
    invoiceExternalId,
    request: { external_id, received_by: byPlatform ? 'PLATFORM' : 'MERCHANT' },
    amountOf: (invoice) => amountMinor ?? invoice.outstanding_amount,
  }));
}

/** The columns of each table that a payment writes, without the platform's name, random values and the database's time. */
const WRITTEN: Record<string, [columns: string, order: string]> = {
  invoices: ['payment_reference', 'external_id'],
  invoice_transitions: ['', 'invoice_external_id, version'],
  invoice_installments: ['', 'invoice_external_id, number'],
  invoice_payments: ['', 'external_id'],
  payment_allocations: ['', 'payment_external_id, position'],
  facilities: ['', 'buyer_external_id'],
  facility_ledger: ['recorded_at', 'buyer_external_id, entry'],
  ledger_entries: ['entry_id,ordinal,recorded_at,reverses_entry', 'invoice_external_id, payment_id, ordinal'],
  paid_invoices: ['', 'invoice_external_id, payment_id'],
  invoice_default_changes: ['', 'invoice_external_id, source_id'],
  closed_orders: ['', 'order_external_id'],
  orders: ['decision_id', 'external_id'],
  order_transitions: ['decision_id', 'order_external_id, version'],
  overdue_invoices: ['', 'invoice_external_id, installment'],
  buyers: ['registry_company_id', 'external_id'],
};

async function written({ on }: Tenant) {
  const id = on.platform.platform_id;
  const rowsOf = async (text: string) => (await world.sql<{ row: object }>(text, [id])).map(({ row }) => row);
  const tables = Object.entries(WRITTEN).map(async ([name, [left, order]]) => [
    name,
    await rowsOf(`select to_jsonb(t) - string_to_array('platform_id,${left}', ',') as row from ${name} t
      where platform_id = $1 order by ${order}`),
  ]);
  const all = {
    ...Object.fromEntries(await Promise.all(tables)),
    lines: await rowsOf(
      `select jsonb_build_array(e.invoice_external_id, e.payment_id, e.cause, l.line, l.account, l.party, l.amount,
        l.currency, l.effective_at) as row
      from ledger_lines l join ledger_entries e using (platform_id, entry_id)
      where l.platform_id = $1 order by e.invoice_external_id, e.payment_id, e.cause, l.line`,
    ),
    events: await rowsOf(
      `select jsonb_build_object('type', type, 'at', occurred_at, 'data', body::jsonb->'data') as row from events
      where platform_id = $1 order by resource_external_id, ordinal`,
    ),
    counts: await rowsOf(
      `select jsonb_build_array(list, filter, value, sum(rows_change)) as row from list_count_changes
      cross join lateral unnest(filters, filter_values, rows_changes) c(filter, value, rows_change)
      where platform_id = $1 group by list, filter, value having sum(rows_change) <> 0 order by list, filter, value`,
    ),
  };
  // The actor of the invoices is the key of the platform.
  return JSON.parse(JSON.stringify(all).replaceAll(/api_key:[\w-]+/g, 'api_key')) as typeof all;
}

const outcomesOf = (answers: Awaited<ReturnType<typeof placePayment>>[]) =>
  answers.map((answer) =>
    answer instanceof Problem
      ? (answer.reason ?? answer.code)
      : [answer.payment.external_id, answer.invoice.status, answer.allocations],
  );
const transactionsOf = async ({ on }: Tenant) =>
  (
    await world.sql<{ count: number }>(
      `select count(distinct xmin::text)::int as count from invoice_payments
      where platform_id = $1 and external_id <> 'before'`,
      [on.platform.platform_id],
    )
  )[0]?.count;

it('leave the same rows, whether they share a transaction or come one by one', async () => {
  const { db } = world.installation;
  const [shared, single] = [await addTenant(), await addTenant()];
  const together = await Promise.all(requestsOf(shared).map((request) => placePayment(db, request)));
  const alone: typeof together = [];
  for (const request of requestsOf(single)) alone.push(await placePayment(db, request));

  expect(outcomesOf(together)).toEqual(outcomesOf(alone));
  expect(outcomesOf(together).filter((outcome) => typeof outcome === 'string')).toEqual([
    'INVALID_STATUS_TRANSITION',
    'PAYMENT_EXCEEDS_OUTSTANDING',
    'NOT_FOUND',
    'EXTERNAL_ID_ALREADY_EXISTS',
  ]);
  expect([await transactionsOf(shared), await transactionsOf(single)]).toEqual([1, 7]);
  const [all, one] = [await written(shared), await written(single)];
  expect(all).toEqual(one);
  // joint-2 has more left to invoice.
  expect(all.closed_orders).toHaveLength(3);
  expect(all.paid_invoices).toHaveLength(5);
  expect(all.invoice_default_changes).toHaveLength(2);
  expect(all.overdue_invoices).not.toEqual([]);
  for (const { on } of [shared, single]) expect(await auditCredit(on)).toEqual([]);
});
