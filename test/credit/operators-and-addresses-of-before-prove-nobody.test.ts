/** The migrations of operators' keys and of addresses, on existing rows: another person may know both. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_keys_of_their_own', 22);
  await older.unchecked.query(`
    insert into operators (platform_id, operator_id, role, key_id, secret_sha256, is_key_initial, email_sealed, email_hash,
      created_at, created_by)
    values (1, 'ada', 'ADMIN', 'k1', '\\x01', false, '', '\\x01', 1, 'installation'),
      (1, 'ben', 'CREDIT', 'k2', '\\x02', true, '', '\\x02', 1, 'operator:ada');
    insert into approvals (platform_id, approval_id, status, kind, subject, payload, proposed_at, proposed_by, reason)
    values (1, '00000000-0000-4000-8000-000000000001', 'PROPOSED', 'OPERATOR', 'operator cleo', '{}', 5, 'operator:ada', 'New'),
      (1, '00000000-0000-4000-8000-000000000002', 'PROPOSED', 'PRICE_TABLE', 'limits', '{}', 5, 'operator:ada', 'New');
    insert into api_keys (platform_id, key_id, name, secret_sha256, scopes, merchant_external_id, created_at)
    values (1, 'north', '', '', '{}', 'north', 1), (2, 'whole', '', '', '{}', null, 1);
    insert into contacts (platform_id, external_id, buyer_external_id, created_at, updated_at, person_sealed, is_from_checkout,
      assign_to_all_invoices)
    values (1, 'given', 'b', 1, 1, '', false, false), (1, 'entered', 'b', 1, 1, '', true, false), (2, 'given', 'b', 1, 1, '', false, false)`);
});
afterAll(() => older.drop());

it(
  'a key that the proposer saw stops working, and an address counts only where no merchant can have set it',
  async () => {
    await older.migrateUnchecked();
    const rowsOf = async (statement: string) =>
      (await older.client.query({ text: statement, rowMode: 'array' })).rows;
    expect(await rowsOf('select operator_id, octet_length(secret_sha256) from operators order by 1')).toEqual(
      [
        ['ada', 1],
        ['ben', 0],
      ],
    );
    expect(await rowsOf('select kind, status, decided_by from approvals order by 1')).toEqual([
      ['OPERATOR', 'REJECTED', 'migration'],
      ['PRICE_TABLE', 'PROPOSED', null],
    ]);
    expect(
      await rowsOf('select platform_id, external_id, is_email_from_merchant from contacts order by 1, 2'),
    ).toEqual([
      [1, 'entered', false],
      [1, 'given', true],
      [2, 'given', false],
    ]);
  },
  patience(60),
);
