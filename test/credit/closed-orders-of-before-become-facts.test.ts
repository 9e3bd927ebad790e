/** Migration 0015 on existing rows: closed orders, and the lifetime counters of a buyer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0015', 8);
  await older.unchecked.query(`
    insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
    select 1, id, status, 'cafe', 'm', 1, 1, 1, 'EUR', 1, 1, 0, '[]'
    from (values ('closed', 'CLOSED'), ('open', 'DISBURSED'), ('cancelled', 'CANCELLED')) of_cafe(id, status);
    insert into order_transitions (platform_id, order_external_id, version, to_status, trigger, transitioned_at, actor)
    values (1, 'closed', 1, 'CONFIRMED', 'create', 1, 'a'), (1, 'closed', 2, 'CLOSED', 'settle', 77, 'a'),
      (1, 'open', 1, 'DISBURSED', 'disburse', 5, 'a'), (1, 'cancelled', 1, 'CANCELLED', 'cancel', 6, 'a');
    insert into credit_histories (platform_id, buyer_external_id, orders_closed, invoices_paid, invoices_paid_late)
    values (1, 'cafe', 1, 4, 2)`);
});
afterAll(() => older.drop());

it(
  'closed orders of before are facts with their day, and counters without one are not turned into any',
  async () => {
    // The buyer to which the facts refer does not exist either.
    const ran = await older.migrateUnchecked();
    expect(ran).toContain('0015_paying_behaviour');
    const rowsOf = async (statement: string) =>
      (await older.unchecked.query({ text: statement, rowMode: 'array' })).rows;
    expect(await rowsOf('select * from closed_orders')).toEqual([[1, 'cafe', 'closed', '77']]);
    expect(await rowsOf('select * from paid_invoices')).toEqual([]);
    expect(await rowsOf("select to_regclass('credit_histories')")).toEqual([[null]]);
  },
  patience(60),
);
