/** What the other buyers of a legal entity hold. One statement reads their facilities and the numbers that connect them. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import type { FacilityStatus } from './facility.lifecycle.ts';
import type { FacilityKey } from './facility.queries.ts';

/** Another buyer of the entity, with a limit or an application under review. Amounts in minor units. */
export interface EntityFacility {
  buyer_external_id: string;
  status: FacilityStatus;
  currency: Currency;
  total_amount: number;
  used_amount: number;
  pending_orders_amount: number;
}

export interface LegalEntity {
  /** The keys of the buyer and of the others, in the order in which they are locked. */
  keys: Buffer[];
  /** Without the buyer itself, by external_id. */
  others: EntityFacility[];
}

/**
 * Selects the keys of the legal entity of a buyer with `keys`, or with its stored ones, as `entity_key`. The keys of another
 * buyer belong to it only if that buyer holds credit: what an applicant only claims connects no companies.
 */
export function selectEntityKeys(
  { platformId, buyerExternalId }: FacilityKey,
  keys?: readonly Buffer[],
): RawBuilder<unknown> {
  const ownKeys = keys
    ? sql`select entity_key from unnest(${keys}::bytea[]) entity_key`
    : sql`
      select entity_key from buyer_entity_keys
      where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId}`;
  return sql`
    with recursive entity (entity_key) as (
      ${ownKeys}
      union
      select theirs.entity_key
      from entity e
      join buyer_entity_keys other on other.platform_id = ${platformId} and other.entity_key = e.entity_key
        and other.buyer_external_id <> ${buyerExternalId} and other.is_counted
      join facilities f on f.platform_id = ${platformId} and f.buyer_external_id = other.buyer_external_id
        and f.status in ('ACTIVE', 'FROZEN', 'EXPIRED')
      join buyer_entity_keys theirs on theirs.platform_id = ${platformId}
        and theirs.buyer_external_id = other.buyer_external_id
    )
    select entity_key from entity`;
}

/**
 * The legal entity of a buyer with `keys`, or with its stored ones. Reads the buyers that hold credit or apply for it, and not
 * those of rejected applications, of which there may be any number.
 */
export async function findEntity(db: Db, key: FacilityKey, keys?: readonly Buffer[]): Promise<LegalEntity> {
  const { platformId, buyerExternalId } = key;
  const { rows } = await sql<{ keys: string[]; others: EntityFacility[] }>`
    with entity as (${selectEntityKeys(key, keys)}), others as (
      select distinct other.buyer_external_id
      from entity e
      join buyer_entity_keys other on other.platform_id = ${platformId} and other.entity_key = e.entity_key
      where other.buyer_external_id <> ${buyerExternalId} and other.is_counted
    )
    select
      coalesce((select json_agg(encode(entity_key, 'hex') order by entity_key) from entity), '[]') as keys,
      coalesce((
        select json_agg(json_build_object('buyer_external_id', f.buyer_external_id, 'status', f.status,
            'currency', f.currency, 'total_amount', f.total_amount, 'used_amount', f.used_amount,
            'pending_orders_amount', f.pending_orders_amount) order by f.buyer_external_id)
        from others join facilities f on f.platform_id = ${platformId}
          and f.buyer_external_id = others.buyer_external_id and f.status <> 'REJECTED'
      ), '[]') as others`.execute(db);
  const [row] = rows;
  return { keys: (row?.keys ?? []).map((hex) => Buffer.from(hex, 'hex')), others: row?.others ?? [] };
}

/** What the buyer may owe in minor units: its limit while it has one, and never less than it owes. */
export function heldMinorOf({
  status,
  ...amounts
}: Pick<EntityFacility, 'status' | 'total_amount' | 'used_amount' | 'pending_orders_amount'>): number {
  const owed = amounts.used_amount + amounts.pending_orders_amount;
  return status === 'ACTIVE' || status === 'FROZEN' ? Math.max(amounts.total_amount, owed) : owed;
}
