/** Migration 0012 on existing rows: a facility, an order that a person declined, and a key with every scope. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCOPES } from '#kernel/api-key';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

const GRANTED = '00000000-0000-4000-8000-000000000001';
const REFERRED = '00000000-0000-4000-8000-000000000002';
const DECLINED = '00000000-0000-4000-8000-000000000003';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0012', 8);
  await older.unchecked.query(`
    insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency)
    values (1, 'renewing', 'ACTIVE', 1, 1, 'EUR'), (1, 'undecided', 'FROZEN', 1, 1, 'EUR');
    insert into facility_transitions (platform_id, buyer_external_id, version, to_status, trigger, transitioned_at, actor,
      decision_id)
    values (1, 'renewing', 1, 'ACTIVE', 'grant', 1, 'a', '${GRANTED}'), (1, 'renewing', 2, 'ACTIVE', 'freeze', 2, 'a', null),
      (1, 'renewing', 3, 'ACTIVE', 'refer_renewal', 3, 'a', '${REFERRED}');
    insert into orders (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
      ordered_at, currency, amount_net, amount_gross, amount_tax, line_items)
    values (1, 'declined', 'CANCELLED', 'b', 'm', 1, 1, 1, 'EUR', 1, 1, 0, '[]'),
      (1, 'plain', 'CANCELLED', 'b', 'm', 1, 1, 1, 'EUR', 1, 1, 0, '[]');
    insert into order_transitions (platform_id, order_external_id, version, to_status, trigger, transitioned_at, actor)
    values (1, 'declined', 1, 'PENDING_CONFIRMATION', 'create_for_review', 1, 'a'), (1, 'declined', 2, 'CANCELLED', 'decline', 2, 'a'),
      (1, 'plain', 1, 'CONFIRMED', 'create', 1, 'a'), (1, 'plain', 2, 'CANCELLED', 'cancel', 2, 'a');
    insert into credit_reviews (platform_id, review_id, status, subject, buyer_external_id, order_external_id, currency,
      reasons, opened_at, updated_at, outcome, final_decision_id)
    values (1, '${REFERRED}', 'DECIDED', 'ORDER', 'b', 'declined', 'EUR', '{}', 1, 2, 'REJECT', '${DECLINED}');
    insert into api_keys (platform_id, key_id, name, secret_sha256, scopes, created_at)
    values (1, 'every', '', '', '{read,orders:write,invoices:write,payouts:write,webhooks:write,admin}', 1),
      (1, 'some', '', '', '{read,admin}', 1)`);
});
afterAll(() => older.drop());

it(
  'facilities and orders of before name the decision that they come from',
  async () => {
    expect(await older.migrateUnchecked()).toContain('0012_explained_decisions');
    const rowsOf = async (statement: string) =>
      (await older.client.query({ text: statement, rowMode: 'array' })).rows;
    // A renewal under review leaves the granted limit in force.
    expect(await rowsOf('select buyer_external_id, decision_id from facilities order by 1')).toEqual([
      ['renewing', GRANTED],
      ['undecided', null],
    ]);
    expect(await rowsOf('select external_id, decision_id from orders order by 1')).toEqual([
      ['declined', DECLINED],
      ['plain', null],
    ]);
    expect(
      await rowsOf('select trigger, decision_id from order_transitions where decision_id is not null'),
    ).toEqual([['decline', DECLINED]]);
    const keys = await rowsOf('select key_id, scopes from api_keys order by 1');
    expect(keys.map(([name, scopes]) => [name, [...scopes].sort()])).toEqual([
      ['every', [...SCOPES].sort()],
      ['some', ['admin', 'read']],
    ]);
  },
  patience(60),
);
