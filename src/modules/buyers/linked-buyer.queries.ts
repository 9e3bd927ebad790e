/** Buyers that took values from companies of the register, of all platforms: a company changes for all of them at once. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import { BUYER_COLUMNS_OF_B, type KnownBuyer } from './buyer.queries.ts';
import type { RegistryLink } from './buyer.schemas.ts';

/** Who took something over is whole: what a buyer must have is there, from the register or from the platform. */
export interface LinkedBuyer extends KnownBuyer {
  registry: RegistryLink;
  registry_company_id: number;
}

/** In the order of company, platform and external_id, so many of them behind the last one; locked. */
export async function lockLinkedBuyers(
  db: Db,
  companyIds: readonly number[],
  last: LinkedBuyer | undefined,
  countMax: number,
): Promise<LinkedBuyer[]> {
  const { rows } = await sql<LinkedBuyer>`
    select ${BUYER_COLUMNS_OF_B} from buyers b
    where b.registry_company_id = any(${companyIds}::bigint[]) and (b.registry_company_id, b.platform_id, b.external_id)
      > (${last?.registry_company_id ?? 0}::bigint, ${last?.platform_id ?? 0}::int, ${last?.external_id ?? ''}::text)
    order by b.registry_company_id, b.platform_id, b.external_id limit ${countMax}
    for no key update`.execute(db);
  return rows;
}

const unnestBuyers = unnestRows<LinkedBuyer>('u', {
  platform_id: ['int', 'platform_id'],
  external_id: ['text', 'external_id'],
  version: ['int', 'version'],
  updated_at: ['bigint', 'updated_at'],
  legal_name: ['text', 'legal_name'],
  legal_form: ['text', 'legal_form'],
  trading_name: ['text', 'trading_name'],
  incorporated_at: ['bigint', 'incorporated_at'],
  business_address: ['jsonb', 'business_address'],
  business_identifiers: ['jsonb', 'business_identifiers'],
  registry: ['jsonb', 'registry'],
});

/** Writes what a register knows of them, and their link, version and updated_at. */
export async function updateLinkedBuyers(db: Db, buyers: readonly LinkedBuyer[]): Promise<void> {
  await sql`
    update buyers b set version = u.version, updated_at = u.updated_at, legal_name = u.legal_name,
      legal_form = u.legal_form, trading_name = u.trading_name, incorporated_at = u.incorporated_at,
      business_address = u.business_address, business_identifiers = u.business_identifiers, registry = u.registry
    from ${unnestBuyers(buyers)}
    where b.platform_id = u.platform_id and b.external_id = u.external_id`.execute(db);
}
