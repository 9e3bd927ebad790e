/** Migrations 0030 and 0037 on existing ledger entries, which had one time, and one cause for all releases of use. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0030', 29);
  await older.unchecked.query(`
    insert into facility_ledger (platform_id, buyer_external_id, entry, recorded_at, cause, invoice_external_id, used_change,
      total_amount, used_amount, pending_orders_amount, available_amount, available_change, actor)
    values (1, 'paying', 2, 1763640000, 'INVOICE_FREED', 'i1', -5, 100, 0, 0, 100, 5, 'service')`);
});
afterAll(() => older.drop());

it(
  'keep their cause and their instant, which is both times',
  async () => {
    await older.migrateUnchecked();
    const { rows } = await older.client.query(
      `select cause, payment_id, credit_note_external_id, effective_at::int, extract(epoch from recorded_at)::int as recorded_at
      from facility_ledger`,
    );
    expect(rows).toEqual([
      {
        ...{ cause: 'INVOICE_FREED', payment_id: null, credit_note_external_id: null },
        ...{ effective_at: 1_763_640_000, recorded_at: 1_763_640_000 },
      },
    ]);
  },
  patience(60),
);
