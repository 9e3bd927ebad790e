/** One-time codes. Only the last code of a checkout counts. Writers hold the checkout's lock. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CheckoutCodes } from '#infra/database/schema';
import type { CheckoutKey } from '../state/checkout.queries.ts';

export type CodeRow = Selectable<CheckoutCodes>;

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

export async function insertCode(db: Db, code: Insertable<CheckoutCodes>): Promise<void> {
  await db.insertInto('checkout_codes').values(code).execute();
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
