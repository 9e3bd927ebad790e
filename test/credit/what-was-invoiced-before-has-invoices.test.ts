/** Migration 0045 on existing rows: orders with an invoiced amount, and a facility ledger that names invoices. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase } from '#infra/database/database';
import { invoiceEquations } from '#modules/invoices';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';
import { isPaymentReference } from '../../src/modules/invoices/payment-reference.rules.ts';

const NAME = 'before_0045';
let older: OlderDatabase;

const DAY = 86_400;
/** 2026-01-10 12:00 UTC. */
const ORDERED = 1_768_046_400;
/** The agreed terms of an order over 119.00, in the given number of parts. */
const offer = (...parts: number[]) =>
  JSON.stringify({
    fee: { net: 100, tax: 19, gross: 119 },
    installments: parts.map((value, index) => ({
      due_at: ORDERED + (index + 1) * 30 * DAY,
      amount: { value, currency: 'EUR' },
    })),
  });

async function insertOrders(): Promise<void> {
  const orders: [
    id: string,
    status: string,
    term: string,
    invoiced: number,
    offered: string,
    paidAt: number | null,
  ][] = [
    ['half', 'CONFIRMED', 'DEFER_30D', 6_000, offer(11_900), null],
    ['split', 'CONFIRMED', 'SPLIT_3M', 11_900, offer(3_968, 3_966, 3_966), null],
    ['closed', 'CLOSED', 'DEFER_30D', 11_900, offer(11_900), null],
    // By the simulator of that version, which did not check whether it was paid.
    ['simulated', 'CLOSED', 'DEFER_30D', 11_900, offer(11_900), null],
    ['one', 'CONFIRMED', 'DEFER_30D', 11_900, offer(11_900), null],
    ['other', 'CONFIRMED', 'DEFER_30D', 100, offer(11_900), null],
    ['prepaid', 'CONFIRMED', 'PREPAYMENT', 11_900, offer(11_900), ORDERED + DAY],
    ['unpaid', 'CONFIRMED', 'PREPAYMENT', 5_000, offer(11_900), null],
    ['taken', 'CONFIRMED', 'DEFER_30D', 700, offer(11_900), null],
    ['cancelled', 'CONFIRMED', 'DEFER_30D', 0, offer(11_900), null],
    ['untouched', 'CONFIRMED', 'DEFER_30D', 0, offer(11_900), null],
  ];
  for (const [id, status, term, invoiced, offered, paidAt] of orders)
    await older.unchecked.query(
      `insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
        ordered_at, payment_method, payment_term, currency, amount_net, amount_gross, amount_tax, line_items, invoiced_amount,
        term_offer, paid_at)
      values (1, $1, $2, 'cafe', 'm', $3, $3, $3, 'TRANSFER', $4, 'EUR', 10000, 11900, 1900, '[{"name":"Beans"}]', $5, $6, $7)`,
      [id, status, ORDERED, term, invoiced, offered, paidAt],
    );
}

async function insertLedger(): Promise<void> {
  const entries: [
    cause: string,
    order: string | null,
    invoice: string | null,
    used: number,
    payment?: string,
  ][] = [
    ['LIMIT_GRANTED', null, null, 0],
    ['ORDER_INVOICED', 'half', 'invoice-half', 4_000],
    ['ORDER_INVOICED', 'half', 'invoice-half-2', 2_000],
    ['INVOICE_FREED', null, 'invoice-half-2', -500],
    ['ORDER_INVOICED', 'split', 'invoice-split', 11_900],
    ['INVOICE_FREED', null, 'invoice-split', -4_000],
    ['ORDER_INVOICED', 'closed', 'invoice-closed', 11_900],
    ['INVOICE_PAID', null, 'invoice-closed', -11_900, 'payment'],
    ['ORDER_INVOICED', 'simulated', 'invoice-simulated', 11_900],
    ['ORDER_INVOICED', 'one', 'invoice-both', 11_900],
    ['ORDER_INVOICED', 'other', 'invoice-both', 100],
    // The external_id of a later invoice, for another order.
    ['ORDER_INVOICED', 'taken', 'invoice-taken', 700],
    ['ORDER_INVOICED', 'cancelled', 'invoice-cancelled', 3_000],
    ['INVOICE_CANCELLED', 'cancelled', 'invoice-cancelled', -3_000],
  ];
  let used = 0;
  for (const [index, [cause, order, invoice, change, payment = null]] of entries.entries()) {
    used += change;
    await older.unchecked.query(
      `insert into facility_ledger (platform_id, buyer_external_id, entry, effective_at, cause, order_external_id,
        invoice_external_id, used_change, total_amount, used_amount, pending_orders_amount, available_amount, available_change,
        ceiling_amount, actor, payment_id)
      values (1, 'cafe', $1, $2, $3, $4, $5, $6::bigint, 100000, $7::bigint, 0, 100000 - $7::bigint, -$6::bigint, 100000, 'a', $8)`,
      [index + 1, ORDERED + index * 60, cause, order, invoice, change, used, payment],
    );
  }
  await older.unchecked.query(
    `insert into facilities (platform_id, buyer_external_id, status, currency, total_amount, used_amount, available_amount,
      created_at, updated_at, entry_last, risk_band, price_class, reviewed_at, expires_at)
    values (1, 'cafe', 'ACTIVE', 'EUR', 100000, $1::bigint, 100000 - $1::bigint, $2::bigint, $2, $3, 'A1', 'A', $2, $2 + 90 * 86400)`,
    [used, ORDERED, entries.length],
  );
}

beforeAll(async () => {
  older = await olderDatabase(NAME, 44);
  await older.unchecked.query(
    `insert into platforms (code, name, created_at, country, currency, data_key_wrapped, time_zone)
    values ('p', 'P', 1, 'DE', 'EUR', '\\x00', 'Asia/Tokyo');
    insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
      business_address)
    values (1, 'cafe', 1, 1, 'Café', 'COOPERATIVE', '[]', '{"city":"Berlin"}');
    insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, currency, amount_net,
      amount_tax, amount_gross, line_items)
    values (1, 'invoice-taken', 'OPEN', 'cafe', 'm', 1, 1, 1, 1, '1970-01-01', 1, 1, 'TRANSFER', 'RF', 'EUR', 1, 0, 1, '[]')`,
  );
  await insertOrders();
  await insertLedger();
  // The rows refer to a merchant that does not exist.
  expect(await older.migrateUnchecked()).toContain('0045_invoices_of_before');
}, patience(60));
afterAll(() => older.drop());

const rowsOf = async (statement: string) =>
  (await older.unchecked.query({ text: statement, rowMode: 'array' })).rows;
/** The id of a residual invoice, which no ledger entry names. */
const nameOf = (name: string) => `'invoice-' || md5('${name}')`;

it('makes an invoice of each that the ledger names, and one of what it does not', async () => {
  expect(
    await rowsOf(
      `select case when i.external_id like 'invoice-' || md5(o.order_external_id) then 'of ' || o.order_external_id
          else i.external_id end as name, i.status, o.order_external_id, o.amount, i.amount_gross, i.amount_tax,
        i.paid_amount, i.outstanding_amount, i.credit_used
      from invoices i join invoice_orders o on (o.platform_id, o.invoice_external_id) = (i.platform_id, i.external_id)
      order by 1, 3`,
    ),
  ).toEqual([
    ['invoice-both', 'OPEN', 'one', '11900', '12000', '1916', '0', '12000', '12000'],
    ['invoice-both', 'OPEN', 'other', '100', '12000', '1916', '0', '12000', '12000'],
    ['invoice-closed', 'CLOSED', 'closed', '11900', '11900', '1900', '11900', '0', '0'],
    ['invoice-half', 'OPEN', 'half', '4000', '4000', '639', '0', '4000', '4000'],
    // 6,000 of 11,900 have 958 of 1,900 tax, of which 639 are on the first.
    ['invoice-half-2', 'OPEN', 'half', '2000', '2000', '319', '500', '1500', '1500'],
    ['invoice-simulated', 'OPEN', 'simulated', '11900', '11900', '1900', '0', '11900', '11900'],
    ['invoice-split', 'OPEN', 'split', '11900', '11900', '1900', '4000', '7900', '7900'],
    ['of prepaid', 'CLOSED', 'prepaid', '11900', '11900', '1900', '11900', '0', '0'],
    ['of taken', 'OPEN', 'taken', '700', '700', '112', '0', '700', '700'],
    ['of unpaid', 'OPEN', 'unpaid', '5000', '5000', '798', '0', '5000', '0'],
  ]);
});

it('has the days of the term and amounts in proportion, paid earliest first', async () => {
  const instalments = (invoice: string) =>
    rowsOf(`select number, due_at, due_on, amount, fee_amount, paid_amount from invoice_installments
      where invoice_external_id = ${invoice} order by number`);
  const days = [1, 2, 3].map((month) => `${ORDERED + month * 30 * DAY}`);
  expect(await instalments("'invoice-split'")).toEqual([
    [1, days[0], '2026-02-09', '3968', '0', '3968'],
    [2, days[1], '2026-03-11', '3966', '0', '32'],
    [3, days[2], '2026-04-10', '3966', '0', '0'],
  ]);
  expect(await instalments(nameOf('taken'))).toEqual([[1, days[0], '2026-02-09', '700', '0', '0']]);
  // The next unpaid one, and the following midnight in Tokyo. A closed invoice no longer falls due.
  expect(
    await rowsOf(`select external_id, due_at, due_on, agreed_due_at, to_timestamp(falls_due_at) at time zone 'Asia/Tokyo'
        = due_on::date + 1 from invoices where external_id in ('invoice-split', 'invoice-closed') order by 1`),
  ).toEqual([
    ['invoice-closed', days[0], '2026-02-09', days[0], null],
    ['invoice-split', days[1], '2026-03-11', days[0], true],
  ]);
});

it('has the payments with their allocations, a history, and references with the right check digits', async () => {
  expect(
    await rowsOf(`select p.invoice_external_id, p.amount, p.allocated_amount, p.received_by, sum(a.goods_amount), count(*)
      from invoice_payments p join payment_allocations a on a.payment_external_id = p.external_id
      group by p.platform_id, p.external_id order by p.amount, length(p.invoice_external_id)`),
  ).toEqual([
    ['invoice-half-2', '500', '500', 'MERCHANT', '500', '1'],
    ['invoice-split', '4000', '4000', 'MERCHANT', '4000', '2'],
    ['invoice-closed', '11900', '11900', 'MERCHANT', '11900', '1'],
    [expect.stringMatching(/^invoice-[\da-f]{32}$/), '11900', '11900', 'MERCHANT', '11900', '1'],
  ]);
  expect(
    await rowsOf(`select i.status, count(*), bool_and(t.to_status = i.status) from invoices i
      join invoice_transitions t on t.invoice_external_id = i.external_id and t.version = (
        select max(version) from invoice_transitions where invoice_external_id = i.external_id)
      group by 1 order by 1`),
  ).toEqual([
    ['CLOSED', '2', true],
    ['OPEN', '7', true],
  ]);
  const references = await rowsOf(
    "select payment_reference from invoices where external_id <> 'invoice-taken'",
  );
  expect(references.filter(([reference]) => !isPaymentReference(reference))).toEqual([]);
});

it('leaves facilities that equal their invoices, and makes nothing a second time', async () => {
  const { db, close } = openDatabase({
    connection: { ...inject('postgres').service, database: NAME },
    connectionsMax: 1,
    timeoutFactor: 1,
  });
  const differences = await Promise.all(invoiceEquations.map(({ check }) => check(db, 1)));
  await close();
  expect(differences).toEqual(invoiceEquations.map(() => []));
  expect(await older.migrateUnchecked()).toEqual([]);
});
