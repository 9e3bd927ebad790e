/** Whether buyers have agreed to be debited. Mandates write it; payment terms and invoices depend on it. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { BuyerKey } from './buyer.queries.ts';

/** Whether each buyer has an active mandate, in the order of the keys; false for an unknown buyer. */
export async function haveActiveMandates(db: Db, keys: BuyerKey[]): Promise<boolean[]> {
  const { rows } = await sql<{ has_active_mandate: boolean }>`
    select coalesce((
      select has_active_mandate from buyers b
      where b.platform_id = k.platform_id and b.external_id = k.external_id
    ), false) as has_active_mandate
    from ${unnestNumberedKeys(keys)}
    order by k.nth`.execute(db);
  return rows.map((row) => row.has_active_mandate);
}

export const hasActiveMandate = gathered(haveActiveMandates, byPlatform);

/**
 * Records whether the buyer has an active mandate, in the caller's transaction, which has locked the buyer. The version is
 * unchanged, because it counts only changes of fields that a PUT replaces.
 */
export async function recordActiveMandate(
  db: Db,
  { platformId, externalId }: BuyerKey,
  hasMandate: boolean,
): Promise<void> {
  await db
    .updateTable('buyers')
    .set({ has_active_mandate: hasMandate })
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .execute();
}
