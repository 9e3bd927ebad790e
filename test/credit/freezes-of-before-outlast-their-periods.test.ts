/** The migration of freezes on existing rows: frozen facilities, and expired ones. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_freezes_outlast_periods', 15);
  await older.unchecked.query(`
    insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency)
    values (1, 'active', 'ACTIVE', 1, 9, 'EUR'), (1, 'frozen', 'FROZEN', 1, 9, 'EUR'), (1, 'expired', 'EXPIRED', 1, 9, 'EUR'),
      (1, 'frozen-expired', 'EXPIRED', 1, 9, 'EUR'), (1, 'renewed', 'ACTIVE', 1, 9, 'EUR');
    insert into facility_transitions (platform_id, buyer_external_id, version, from_status, to_status, trigger,
      transitioned_at, actor)
    values (1, 'active', 1, 'ACTIVE', 'FROZEN', 'freeze', 2, 'a'), (1, 'active', 2, 'FROZEN', 'ACTIVE', 'unfreeze', 3, 'a'),
      (1, 'frozen', 1, 'ACTIVE', 'FROZEN', 'freeze', 2, 'a'), (1, 'frozen', 2, 'FROZEN', 'ACTIVE', 'unfreeze', 3, 'a'),
      (1, 'frozen', 3, 'ACTIVE', 'FROZEN', 'freeze_dissolved', 4, 'a'), (1, 'frozen', 4, 'FROZEN', 'FROZEN', 'renew', 5, 'a'),
      (1, 'expired', 1, 'ACTIVE', 'FROZEN', 'freeze', 2, 'a'), (1, 'expired', 2, 'FROZEN', 'ACTIVE', 'unfreeze', 3, 'a'),
      (1, 'expired', 3, 'ACTIVE', 'EXPIRED', 'expire', 4, 'a'),
      (1, 'frozen-expired', 1, 'ACTIVE', 'FROZEN', 'freeze', 2, 'a'),
      (1, 'frozen-expired', 2, 'FROZEN', 'EXPIRED', 'expire', 3, 'a'),
      (1, 'frozen-expired', 3, 'EXPIRED', 'EXPIRED', 'refer_renewal', 4, 'a'),
      (1, 'renewed', 1, 'ACTIVE', 'FROZEN', 'freeze', 2, 'a'), (1, 'renewed', 2, 'FROZEN', 'EXPIRED', 'expire', 3, 'a'),
      (1, 'renewed', 3, 'EXPIRED', 'ACTIVE', 'renew', 4, 'a')`);
});
afterAll(() => older.drop());

it(
  'a facility that is frozen, or was when it expired, keeps the freeze',
  async () => {
    await older.migrateUnchecked();
    const { rows } = await older.client.query({
      text: 'select buyer_external_id, frozen_at from facilities order by 1',
      rowMode: 'array',
    });
    expect(rows.map(([buyer, at]) => [buyer, at === null ? null : Number(at)])).toEqual([
      ['active', null],
      ['expired', null],
      ['frozen', 4],
      ['frozen-expired', 2],
      ['renewed', null],
    ]);
  },
  patience(60),
);
