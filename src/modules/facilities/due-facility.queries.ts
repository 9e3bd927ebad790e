/** Facilities whose renewal or end is due. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { FacilityChanges, FacilityKey } from './facility.queries.ts';

export interface DueFacility {
  buyerExternalId: string;
  /** Unix seconds. */
  dueAt: number;
}

/** The platforms on which a renewal is due by the platform's clock. `now` is the real time in unix seconds. */
export async function findPlatformsRenewing(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from platforms p
    where exists (select from facilities f
      where f.platform_id = p.platform_id and f.status = 'ACTIVE' and f.renewal_due_at <= ${now} + p.clock_ahead_seconds)
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** The platforms on which a period ends by the platform's clock. `now` is the real time in unix seconds. */
export async function findPlatformsExpiring(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from platforms p
    where exists (select from facilities f
      where f.platform_id = p.platform_id and f.status in ('ACTIVE', 'FROZEN')
        and f.expires_at <= ${now} + p.clock_ahead_seconds)
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** The earliest renewal that is due by `until` (unix seconds). */
export async function findNextFacilityRenewal(
  db: Db,
  platformId: number,
  until: number,
): Promise<DueFacility | undefined> {
  const { rows } = await sql<DueFacility>`
    select buyer_external_id as "buyerExternalId", renewal_due_at as "dueAt" from facilities
    where platform_id = ${platformId} and status = 'ACTIVE' and renewal_due_at <= ${until}
    order by renewal_due_at, buyer_external_id limit 1`.execute(db);
  return rows[0];
}

/** The earliest period that ends by `until` (unix seconds). */
export async function findNextFacilityExpiry(
  db: Db,
  platformId: number,
  until: number,
): Promise<DueFacility | undefined> {
  const { rows } = await sql<DueFacility>`
    select buyer_external_id as "buyerExternalId", expires_at as "dueAt" from facilities
    where platform_id = ${platformId} and status in ('ACTIVE', 'FROZEN') and expires_at <= ${until}
    order by expires_at, buyer_external_id limit 1`.execute(db);
  return rows[0];
}

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
