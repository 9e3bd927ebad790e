/** The migrations of maintained totals on a database that already has invoices. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0041', 40);
  await older.client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    values ('old', 'Old', 1, 'DE', 'EUR', '')`);
  await older.unchecked.query(`
    insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, payment_method, payment_reference, currency, amount_net, amount_gross,
      amount_tax, line_items)
    select 1, 'i' || n, case n when 1 then 'DUE' else 'CANCELLED' end, 'buyer', 'merchant', n, n, n, n, '2025-01-01', n,
      'TRANSFER', 'RF' || n, case n when 1 then 'GBP' else 'EUR' end, 100, 100, 0, '[]'
    from generate_series(1, 3) n`);
});
afterAll(() => older.drop());

it(
  'every invoice is in the totals of the lists that show it',
  async () => {
    await older.migrateUnchecked();
    const { rows } = await older.unchecked.query({
      text: `select filter, value, rows_count::int from list_counts where platform_id = 1 and list = 'invoices' order by 1, 2`,
      rowMode: 'array',
    });
    expect(rows).toEqual([
      ['currency', 'EUR', 2],
      ['currency', 'GBP', 1],
      ['status', 'CANCELLED', 2],
      ['status', 'DUE', 1],
      ['status,buyer_external_id', 'CANCELLED buyer', 2],
      ['status,buyer_external_id', 'DUE buyer', 1],
      ['status,merchant_external_id', 'CANCELLED merchant', 2],
      ['status,merchant_external_id', 'DUE merchant', 1],
    ]);
  },
  patience(60),
);
