/** Migration 0044 on existing DUE invoices: a buyer's overdue invoices had only one sum per invoice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0044', 43);
  const query = (sql: string) => older.unchecked.query(sql);
  await query(`insert into platforms (code, name, created_at, country, currency, data_key_wrapped, time_zone)
    values ('p', 'P', 0, 'DE', 'EUR', '', 'Europe/Berlin')`);
  for (const [id, status, fallsDueAt] of [
    ['late', 'DUE', 'null'],
    ['open', 'OPEN', '1768000000'],
  ])
    await query(`insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at,
      updated_at, invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, currency,
      amount_net, amount_tax, amount_gross, line_items, paid_amount)
      values (1, '${id}', '${status}', 'buyer', 'merchant', 1, 1, 1, 1762473599, '2025-11-06', 1762473599, ${fallsDueAt},
        'TRANSFER', '${id}', 'EUR', 300, 0, 300, '[]', 40)`);
  await query(`insert into invoice_installments (platform_id, invoice_external_id, number, due_at, due_on, amount, paid_amount)
    select 1, id, number, due_at, due_on, 100, paid from (values ('late'), ('open')) i(id) cross join (values
      (1, 1762473599, '2025-11-06', 100), (2, 1765065599, '2025-12-06', 40), (3, 1767743999, '2026-01-06', 0))
      p(number, due_at, due_on, paid)`);
  await query(`insert into overdue_invoices (platform_id, buyer_external_id, invoice_external_id, due_at, currency,
    outstanding_amount) values (1, 'buyer', 'late', 1762473599, 'EUR', 60)`);
});
afterAll(() => older.drop());

it(
  'owe each unpaid instalment, and are judged for default after 90 days of their time zone',
  async () => {
    await older.migrateUnchecked();
    const owed = await older.client.query(
      'select invoice_external_id as id, installment, due_at::int, outstanding_amount::int as owed from overdue_invoices order by 2',
    );
    expect(owed.rows).toEqual([
      { id: 'late', installment: 2, due_at: 1_765_065_599, owed: 60 },
      { id: 'late', installment: 3, due_at: 1_767_743_999, owed: 100 },
    ]);
    const invoices = await older.client.query(
      'select external_id, defaults_at::int from invoices order by 1',
    );
    expect(invoices.rows).toEqual([
      { external_id: 'late', defaults_at: Date.parse('2026-02-05T00:00:00+01:00') / 1_000 },
      { external_id: 'open', defaults_at: null },
    ]);
  },
  patience(60),
);
