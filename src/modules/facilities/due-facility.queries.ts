/** Facilities whose renewal or end is due. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { dueColumn } from '#infra/time/due-column.queries';
import type { FacilityTrigger } from './facility.lifecycle.ts';
import type { FacilityChanges, FacilityKey } from './facility.queries.ts';

export const EXPIRE: FacilityTrigger = 'expire';

/** Facilities whose renewal the service has to request. */
export const renewingFacilities = dueColumn({
  table: 'facilities',
  column: 'renewal_due_at',
  key: 'buyer_external_id',
  condition: sql`status = 'ACTIVE'`,
  resource: 'facility',
  trigger: 'renew',
});

/** Facilities whose period ends. */
export const expiringFacilities = dueColumn({
  table: 'facilities',
  column: 'expires_at',
  key: 'buyer_external_id',
  condition: sql`status in ('ACTIVE', 'FROZEN')`,
  resource: 'facility',
  trigger: EXPIRE,
});

/** Postpones a renewal that is still due at `dueAt`, or cancels it (null). No transition, no event. */
export async function postponeRenewal(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  dueAt: number,
  changes: Required<Pick<FacilityChanges, 'renewal_due_at'>>,
): Promise<void> {
  await db
    .updateTable('facilities')
    .set(changes)
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('renewal_due_at', '=', dueAt)
    .execute();
}
