/** Migrations 0046 and 0052 on older rows: invoices without services, and services without the columns of financing. */
import { afterEach, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;
afterEach(() => older.drop());

async function withInvoices(name: string, migrations: number): Promise<void> {
  older = await olderDatabase(name, migrations);
  await older.client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    values ('old', 'Old', 1, 'DE', 'EUR', '')`);
  await older.unchecked.query(`
    insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      invoiced_at, due_at, due_on, agreed_due_at, payment_method, payment_reference, currency, amount_net, amount_gross,
      amount_tax, line_items, falls_due_at)
    select 1, 'i' || n, 'OPEN', 'buyer', 'merchant', n, n, n, n, '2025-01-01', n, 'TRANSFER', 'RF' || n, 'EUR', 100, 100, 0, '[]', 4000000000
    from generate_series(1, 3) n`);
}
const rowsOf = async (text: string) => (await older.unchecked.query({ text, rowMode: 'array' })).rows;

it(
  'an invoice of before 0046 has no service, and nothing written off',
  async () => {
    await withInvoices('before_0046', 45);
    await older.migrateUnchecked();
    expect(
      await rowsOf(
        'select external_id, financing_status, active_services, is_financed, written_off_amount::int from invoices order by 1',
      ),
    ).toEqual(['i1', 'i2', 'i3'].map((id) => [id, null, 0, false, 0]));
    expect(await rowsOf('select financing_default_days from platforms')).toEqual([[90]]);
    expect(await rowsOf('select count(*)::int from invoice_services')).toEqual([[0]]);
  },
  patience(60),
);

it(
  'services of before 0052 keep their order and their status, used no credit, and are examined when a file comes',
  async () => {
    await withInvoices('before_0052', 51);
    await older.unchecked.query(`
      insert into invoice_services (platform_id, external_id, invoice_external_id, buyer_external_id, merchant_external_id,
        service_type, status, currency, created_at, updated_at, terms_accepted_at, base_amount, examine_at)
      values (1, 'z', 'i1', 'buyer', 'merchant', 'FINANCING', 'REJECTED', 'EUR', 5, 5, 5, 100, null),
        (1, 'b', 'i1', 'buyer', 'merchant', 'FINANCING', 'IN_REVIEW', 'EUR', 6, 6, 6, 100, 900),
        (1, 'a', 'i2', 'buyer', 'merchant', 'INSURANCE', 'ACCEPTED', 'EUR', 6, 6, 6, 100, null)`);
    await older.migrateUnchecked();
    const services = 'select external_id, status, credit_amount::int, written_off_at from invoice_services';
    expect(await rowsOf(`${services} order by ordinal`)).toEqual([
      ['z', 'REJECTED', 0, null],
      ['b', 'IN_REVIEW', 0, null],
      ['a', 'ACCEPTED', 0, null],
    ]);
    // Written like an older request: the triggers of 0052 also see older services.
    await older.client.query(
      'alter table invoice_files drop constraint invoice_files_platform_id_file_id_fkey',
    );
    await older.client.query(`
      insert into invoice_files (platform_id, invoice_external_id, external_id, file_id, kind, media_type, name_sealed,
        created_at, actor)
      values (1, 'i1', 'file', gen_random_uuid(), 'INVOICE', 'application/pdf', '', 7, 'a')`);
    expect(
      await rowsOf('select external_id, examine_at::int from invoice_services order by ordinal'),
    ).toEqual([
      ['z', null],
      ['b', 7],
      ['a', null],
    ]);
  },
  patience(60),
);
