/** The tables and indexes that PostgreSQL reads for lists of invoices, and for invoices that fall due, with 40,000 invoices. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { bothWays, filtersOf, indexesOf, plansOf, plansOfList, tablesReadWhole } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { dueInvoices } from './due-invoices.ts';
import { INVOICE_SORTS, type InvoiceFilter, listInvoiceRows } from './invoice-list.queries.ts';
import { listInvoices } from './operations/list-invoices.ts';
import { scriptedPayments } from './scripted-payments.ts';

const TODAY = '2025-11-20';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  for (const external_id of ['buyer', 'rare'])
    await world.post('/v1/buyers', buyerBody({ external_id, legal_name: `Café ${external_id}` }));
  for (const external_id of ['merchant', 'rare-merchant'])
    await world.post('/v1/merchants', merchantBody({ external_id }));
  // Half a percent of the rows match each rare value.
  await world.sql(
    `insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, invoice_number, currency,
      amount_net, amount_gross, amount_tax, line_items, financing_status, collection_status, insurance_status,
      payment_script)
    select $1, 'invoice-' || n, case n % 200 when 0 then 'DUE' when 7 then 'CANCELLED' else 'OPEN' end, case n % 200 when 1 then 'rare' else 'buyer' end,
      case n % 200 when 2 then 'rare-merchant' else 'merchant' end, n, 50000 - n, n * 7 % 40000, n * 11 % 40000,
      case when n % 2000 = 0 then '2025-11-19' else '2025-01-01' end, n, case when n % 200 in (0, 7) then null else 100000 + n end,
      'TRANSFER', 'RF' || n, 'R-' || n, case n % 200 when 3 then 'PLN' else 'EUR' end, n % 9973 + 1, n % 9973 + 1, 0, '[]',
      case n % 200 when 4 then 'PAID_OUT' end, case n % 200 when 5 then 'COLLECTED' end, case n % 200 when 6 then 'ACCEPTED' end,
      case n % 200 when 9 then 'pays-late' end
    from generate_series(1, 40000) n`,
    [world.platform.platform_id],
  );
  for (const external_id of ['order', 'rare-order'])
    await world.post('/v1/orders/draft', draftOrderBody({ external_id }));
  await world.sql(
    `insert into invoice_orders (platform_id, invoice_external_id, order_external_id, position, amount, credit_amount)
    select platform_id, external_id, case when created_at % 200 = 8 then 'rare-order' else 'order' end, 1, 1, 1 from invoices`,
  );
  await world.sql('vacuum analyze invoices, invoice_orders, buyers, platforms');
});
afterAll(() => world.close());

const listed = (filter: InvoiceFilter, sort?: string) =>
  plansOfList(world, sort, (context, page) => listInvoiceRows(context, filter, page, TODAY));
const wholeInvoices = (plans: Parameters<typeof tablesReadWhole>[0]) =>
  tablesReadWhole(plans).filter((table) => table === 'invoices');

const CASES: [string, InvoiceFilter, string | undefined, string][] = [
  ['some ids', { external_id: ['invoice-1', 'invoice-2'] }, undefined, 'invoices_pkey'],
  ['a rare buyer', { buyer_external_id: ['rare'] }, undefined, 'invoices_by_buyer'],
  ['a rare name', { buyer_legal_name: '*rare' }, undefined, 'invoices_by_buyer'],
  ['a rare merchant', { merchant_external_id: ['rare-merchant'] }, undefined, 'invoices_by_merchant'],
  ['a rare status', { status: ['CANCELLED'] }, undefined, 'invoices_by_created_at'],
  ['a rare currency', { currency: ['PLN'] }, undefined, 'invoices_by_currency'],
  ['a number', { invoice_number: ['R-7'] }, undefined, 'invoices_by_number'],
  ['an order', { order_external_id: ['rare-order'] }, undefined, 'invoice_orders_by_order'],
  ['what was changed lately', { updated_at: '49900..' }, '-updated_at', 'invoices_by_updated_at'],
  ['what was sent in lately', { created_at: '39900..' }, undefined, 'invoices_by_created_at'],
  ['a day of invoicing', { invoiced_at: '100..200' }, '-invoiced_at', 'invoices_by_invoiced_at'],
  ['a due day', { due_at: '100..200' }, 'due_at', 'invoices_by_due_at'],
  ['the largest amounts', { amount_gross: '9900..' }, '-amount_gross', 'invoices_by_amount'],
  ['days past due', { days_past_due: '1..3' }, undefined, 'invoices_past_due'],
  ['a rare financing', { financing_status: ['PAID_OUT'] }, undefined, 'invoices_by_financing'],
  ['a rare collection', { collection_status: ['COLLECTED'] }, undefined, 'invoices_by_collection'],
  ['a rare insurance', { insurance_status: ['ACCEPTED'] }, undefined, 'invoices_by_insurance'],
];

describe('no list reads all invoices', () => {
  it('and every filter is tried', () => {
    const tried = CASES.flatMap(([, filter]) => Object.keys(filter));
    expect([...new Set(tried)].sort()).toEqual(filtersOf(listInvoices));
  });

  it.each(CASES)('for %s', async (_, filter, sort, index) => {
    const plans = await listed(filter, sort);
    expect(plans.length).toBeGreaterThanOrEqual(3);
    expect(wholeInvoices(plans)).toEqual([]);
    expect(indexesOf(plans)).toContain(index);
  });

  it.each(bothWays(INVOICE_SORTS))('for its first page, sorted by %s', async (sort) => {
    const [page] = await listed({}, sort);
    expect(wholeInvoices(page ? [page] : [])).toEqual([]);
  });
});

describe('no sweep reads all invoices', () => {
  it.each([
    ['falls due', dueInvoices, 100_500, 'invoices_due', ['invoices_falling_due']],
    [
      ...(['is paid late', scriptedPayments, 870_000, 'invoices_late_payment_due'] as const),
      ['invoice_installments_pkey', 'invoices_paid_late'],
    ],
  ] as const)('for the platforms where one %s, and for the next one', async (_, source, at, ofAll, ofOne) => {
    const platforms = await plansOf(world, (db) => source.findPlatforms(db, at));
    expect(wholeInvoices(platforms)).toEqual([]);
    // With only one platform, both indexes are the same.
    expect([ofAll, ...ofOne]).toEqual(expect.arrayContaining(indexesOf(platforms)));
    const { platform_id } = world.platform;
    const next = await plansOf(world, (db) => source.findNext(db, platform_id, at, 200, []));
    expect(wholeInvoices(next)).toEqual([]);
    expect([ofAll, ...ofOne]).toEqual(expect.arrayContaining(indexesOf(next)));
  });
});

describe('statistics of invoices', () => {
  it('are collected of no column with the large sample of the default: it is read every few seconds', async () => {
    const columns = await world.sql(
      `select a.attname from pg_attribute a
      left join pg_index x on x.indexrelid = a.attrelid and x.indkey[a.attnum - 1] = 0
      where (a.attrelid = 'invoices'::regclass or x.indrelid = 'invoices'::regclass) and a.attnum > 0
        and not a.attisdropped and coalesce(a.attstattarget, 100) > 30`,
    );
    expect(columns).toEqual([]);
  });
});
