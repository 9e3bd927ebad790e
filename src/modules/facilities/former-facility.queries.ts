/** Facilities that are older than the keys of legal entities, so that their buyers have none yet. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
import type { KnownBuyer } from '#modules/buyers';

export interface FormerFacility
  extends Pick<KnownBuyer, 'external_id' | 'legal_name' | 'business_identifiers'> {
  /** The registry company that a decision found, or that the buyer follows; null without one. */
  company_id: number | null;
}

/** At most `limit` such facilities of the platform, in the order of their buyers. */
export async function findFormerFacilities(
  db: Db,
  platformId: number,
  limit: number,
): Promise<FormerFacility[]> {
  const { rows } = await sql<FormerFacility>`
    select b.external_id, b.legal_name, b.business_identifiers,
      coalesce(f.registry_company_id, b.registry_company_id) as company_id
    from facilities f
    join buyers b on b.platform_id = f.platform_id and b.external_id = f.buyer_external_id
    where f.platform_id = ${platformId} and not f.has_entity_keys
    order by f.buyer_external_id limit ${limit}`.execute(db);
  return rows;
}

/** Records that the buyers of these facilities have keys. Locks the facilities in the order of their keys. */
export async function markKeyed(
  db: Db,
  platformId: number,
  buyerExternalIds: readonly string[],
): Promise<void> {
  await sql`
    with locked as materialized (
      select buyer_external_id from facilities
      where platform_id = ${platformId} and buyer_external_id = any(${arrayOf('text', buyerExternalIds)})
      order by buyer_external_id for no key update
    )
    update facilities f set has_entity_keys = true from locked
    where f.platform_id = ${platformId} and f.buyer_external_id = locked.buyer_external_id`.execute(db);
}
