/** One-time codes. Only the last code of a checkout counts. */
import { sql } from 'kysely';
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

/**
 * Counts a wrong attempt at a code that was read without a lock. Returns false if another attempt was counted first: the caller reads
 * the code again.
 */
export async function countAttempt(
  db: Db,
  { platform_id, order_external_id, code_number, attempts }: CodeRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkout_codes')
    .set({ attempts: attempts + 1 })
    .where('platform_id', '=', platform_id)
    .where('order_external_id', '=', order_external_id)
    .where('code_number', '=', code_number)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What a code gives to the browser that enters it. */
export interface Confirmation {
  sessionSha256: Buffer;
  emailMac: Buffer;
  /** Unix seconds if the code also opens the data on file; else null. */
  verifiedAt: number | null;
}

/**
 * Uses the code, and confirms the address for the session, in one statement. If another attempt was counted first, it returns false and
 * writes nothing: the caller reads the code again.
 */
export async function confirmWithCode(
  db: Db,
  { platform_id, order_external_id, code_number, attempts }: CodeRow,
  { sessionSha256, emailMac, verifiedAt }: Confirmation,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with used as (
      update checkout_codes set attempts = attempts + 1, used_at = ${now}
      where platform_id = ${platform_id} and order_external_id = ${order_external_id} and code_number = ${code_number}
        and attempts = ${attempts}
      returning order_external_id
    )
    update checkout_sessions s
    set confirmed_email_mac = ${emailMac}, verified_at = coalesce(${verifiedAt}::bigint, s.verified_at)
    from used u
    where s.platform_id = ${platform_id} and s.order_external_id = u.order_external_id
      and s.session_sha256 = ${sessionSha256}`.execute(db);
  return numAffectedRows === 1n;
}
