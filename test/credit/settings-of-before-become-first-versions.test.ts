/** The migration of existing settings, of which only the last state was kept. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_versions', 15);
  await older.client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped, version, clock_ahead_seconds,
      max_payment_term, support_emails)
    values ('old', 'Old', 1, 'DE', 'EUR', '', 1, 0, 120, '{}'),
      ('changed', 'Changed', 2, 'DE', 'EUR', '', 3, 1000000000, 60, '{help@changed.example}');
    insert into credit_settings (platform_id, buyer_external_id, tolerance_percent, price_table, expires_at, set_at,
      set_by, approved_by, reason)
    values (1, '', 5, '{"tax_basis_points": 1900}', null, 100, 'operator:ada', 'operator:ben', 'Agreed'),
      (1, 'kontor', null, null, 300, 200, 'operator:Ada', null, null)`);
});
afterAll(() => older.drop());

beforeAll(async () => {
  await older.migrate();
}, patience(60));

it('credit settings are version 1 from their last change on, with what was known of it', async () => {
  const { rows } = await older.client.query({
    text: `select buyer_external_id, version, valid_from::int, set_by, approved_by, reason, tolerance_percent,
      price_table, expires_at::int from credit_settings_versions order by 1`,
    rowMode: 'array',
  });
  expect(rows).toEqual([
    ['', 1, 100, 'operator:ada', 'operator:ben', 'Agreed', 5, { tax_basis_points: 1_900 }, null],
    ['kontor', 1, 200, 'operator:Ada', null, null, null, null, 300],
  ]);
});

it('settings of platforms are known from their beginning if they never changed, else from now on', async () => {
  const { rows } = await older.client.query({
    text: `select version, valid_from = 1 as since_creation, valid_from > 2000000000 as since_now, set_by,
      settings->>'name', settings->'max_payment_term', settings::text like '%@%' as has_address, addresses_sealed
      from platform_settings_versions order by platform_id`,
    rowMode: 'array',
  });
  expect(rows).toEqual([
    [1, true, false, 'migration', 'Old', 120, false, null],
    [3, false, true, 'migration', 'Changed', 60, false, null],
  ]);
});
