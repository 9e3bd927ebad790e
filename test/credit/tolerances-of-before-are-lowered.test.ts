/** Migration 0011 on existing settings, whose tolerance could be up to 100 percent. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0011', 8);
  await older.client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    values ('old', 'Old', 1, 'DE', 'EUR', '');
    insert into credit_settings (platform_id, buyer_external_id, tolerance_percent, overdue_stop_days, set_at, set_by)
    values (1, '', 100, 60, 1, 'operator:Ada'), (1, 'exact', 25, null, 1, 'operator:Ada'), (1, 'none', null, 5, 1, 'operator:Ada')`);
});
afterAll(() => older.drop());

it(
  'a tolerance above 25 percent becomes 25, and all else is kept',
  async () => {
    await older.migrate();
    const { rows } = await older.client.query({
      text: 'select buyer_external_id, tolerance_percent, overdue_stop_days, set_by, approved_by from credit_settings_versions order by 1',
      rowMode: 'array',
    });
    expect(rows).toEqual([
      ['', 25, 60, 'operator:Ada', null],
      ['exact', 25, null, 'operator:Ada', null],
      ['none', null, 5, 'operator:Ada', null],
    ]);
  },
  patience(60),
);
