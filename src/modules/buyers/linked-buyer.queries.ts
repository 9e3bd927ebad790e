/** Buyers of all platforms with values from the registry: a company changes for all of them at the same time. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { isNotRelocating, onEachPlatform } from '#infra/database/each-platform';
import { assignmentsOf } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import { buyersTable, type KnownBuyer } from './buyer.queries.ts';
import { REGISTRY_FIELDS, type RegistryLink } from './buyer.schemas.ts';

/** A buyer with a link to the registry is never only invited. */
export interface LinkedBuyer extends KnownBuyer {
  registry: RegistryLink;
  registry_company_id: number;
}

export type LinkedBuyerKey = Pick<LinkedBuyer, 'platform_id' | 'external_id' | 'registry_company_id'>;

/** At most `countMax` linked buyers after `last`, in the order of company, platform and external_id. */
export async function listLinkedBuyers(
  db: Db,
  companyIds: readonly number[],
  last: LinkedBuyerKey | undefined,
  countMax: number,
): Promise<LinkedBuyerKey[]> {
  const { rows } = await sql<LinkedBuyerKey>`
    select b.platform_id, b.external_id, b.registry_company_id from buyers b
    where b.registry_company_id = any(${companyIds}::bigint[]) and (b.registry_company_id, b.platform_id, b.external_id)
      > (${last?.registry_company_id ?? 0}::bigint, ${last?.platform_id ?? 0}::int, ${last?.external_id ?? ''}::text)
      and ${isNotRelocating('b.platform_id')}
    order by b.registry_company_id, b.platform_id, b.external_id limit ${countMax}`.execute(db);
  return rows;
}

/** Locks these buyers in the order of platform and external_id. Omits buyers that no longer have a link. */
export function lockLinkedBuyers(db: Db, keys: readonly LinkedBuyerKey[]): Promise<LinkedBuyer[]> {
  return onEachPlatform(keys, async (platformId, ofPlatform) => {
    const externalIds = ofPlatform.map((key) => key.external_id);
    const { rows } = await sql<LinkedBuyer>`
      select ${buyersTable.of('b')} from buyers b
      where b.platform_id = ${platformId} and b.external_id = any(${arrayOf('text', externalIds)})
        and b.registry_company_id is not null
      order by b.external_id
      for no key update`.execute(db);
    return rows;
  });
}

const REFRESHED = ['version', 'updated_at', ...REGISTRY_FIELDS, 'registry'] as const;
const unnestBuyers = unnestRows('u', buyersTable.list('platform_id', 'external_id', ...REFRESHED));
const ASSIGNMENTS = assignmentsOf(REFRESHED, 'u');

/** Writes the registry's values of these buyers, with their link, version and updated_at. */
export async function updateLinkedBuyers(db: Db, buyers: readonly LinkedBuyer[]): Promise<void> {
  await onEachPlatform(buyers, async (_, ofPlatform) => {
    await sql`
      update buyers b set ${ASSIGNMENTS} from ${unnestBuyers(ofPlatform)}
      where b.platform_id = u.platform_id and b.external_id = u.external_id`.execute(db);
    return [];
  });
}
