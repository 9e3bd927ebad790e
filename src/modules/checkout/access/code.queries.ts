/** One-time codes. Only the last code of a checkout counts. Writers hold the checkout's lock. */
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table } from '#infra/database/table';
import type { CheckoutKey } from '../state/checkout.queries.ts';

export const codesTable = table('checkout_codes', {
  platform_id: 'int',
  order_external_id: 'text',
  code_number: 'int',
  code_mac: 'bytea',
  sent_at: 'bigint',
  expires_at: 'bigint',
  attempts: 'int',
  used_at: 'bigint',
  email_mac: 'bytea',
});

export type CodeRow = RowOf<typeof codesTable>;

/** The number of codes sent after `since` (unix seconds). */
export async function countCodesSince(
  db: Db,
  { platformId, orderExternalId }: CheckoutKey,
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('checkout_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('platform_id', '=', platformId)
    .where('order_external_id', '=', orderExternalId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertCode(db: Db, code: NewRowOf<typeof codesTable>): Promise<void> {
  await db.insertInto('checkout_codes').values(codesTable.insertable(code)).execute();
}

export async function updateCode(
  db: Db,
  { platform_id, order_external_id, code_number }: CodeRow,
  changes: Partial<Pick<CodeRow, 'attempts' | 'used_at'>>,
): Promise<void> {
  await db
    .updateTable('checkout_codes')
    .set(changes)
    .where('platform_id', '=', platform_id)
    .where('order_external_id', '=', order_external_id)
    .where('code_number', '=', code_number)
    .execute();
}
