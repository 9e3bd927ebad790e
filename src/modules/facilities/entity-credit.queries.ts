/** What the other buyers of a legal entity hold. One statement reads their facilities and the numbers that connect them. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
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
  /** The other buyers of the entity, in the order of their external_ids. */
  others: EntityFacility[];
}

/**
 * Selects the keys of the legal entity of a buyer with `keys`, or with its stored ones, as `entity_key`. The keys of another
 * buyer belong to it only if that buyer holds credit, because the mere claims of an applicant must not connect companies. Keys are
 * looked up one by one: the planner expects hundreds of them, and would otherwise read all buyers of the platform.
 */
export function selectEntityKeys(
  { platformId, buyerExternalId }: FacilityKey,
  keys?: readonly Buffer[],
): RawBuilder<unknown> {
  const ownKeys = keys
    ? sql`select entity_key from unnest(${arrayOf('bytea', keys)}) entity_key`
    : sql`
      select entity_key from buyer_entity_keys
      where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId}`;
  return sql`
    with recursive entity (entity_key) as (
      ${ownKeys}
      union
      select theirs.entity_key
      from entity e
      cross join lateral (${countedBuyers(platformId, buyerExternalId)}) other
      cross join lateral (
        select from facilities where platform_id = ${platformId} and buyer_external_id = other.buyer_external_id
          and status in ('ACTIVE', 'FROZEN', 'EXPIRED') offset 0
      ) holds_credit
      cross join lateral (
        select entity_key from buyer_entity_keys
        where platform_id = ${platformId} and buyer_external_id = other.buyer_external_id offset 0
      ) theirs
    )
    select entity_key from entity`;
}

/** The other buyers with the key of `e`. */
function countedBuyers(platformId: number, buyerExternalId: string): RawBuilder<unknown> {
  return sql`
    select buyer_external_id from buyer_entity_keys
    where platform_id = ${platformId} and entity_key = e.entity_key and buyer_external_id <> ${buyerExternalId} and is_counted
    offset 0`;
}

/**
 * The legal entity of a buyer with `keys`, or with its stored ones. Reads only buyers that hold credit or apply for it, because
 * any number of others can have been rejected.
 */
export async function findEntity(db: Db, key: FacilityKey, keys?: readonly Buffer[]): Promise<LegalEntity> {
  const { platformId, buyerExternalId } = key;
  const { rows } = await sql<{ keys: string[]; others: EntityFacility[] }>`
    with entity as (${selectEntityKeys(key, keys)}), others as (
      select distinct other.buyer_external_id
      from entity e cross join lateral (${countedBuyers(platformId, buyerExternalId)}) other
    )
    select
      coalesce((select json_agg(encode(entity_key, 'hex') order by entity_key) from entity), '[]') as keys,
      coalesce((
        select json_agg(json_build_object('buyer_external_id', f.buyer_external_id, 'status', f.status,
            'currency', f.currency, 'total_amount', f.total_amount, 'used_amount', f.used_amount,
            'pending_orders_amount', f.pending_orders_amount) order by f.buyer_external_id)
        from others cross join lateral (
          select * from facilities where platform_id = ${platformId} and buyer_external_id = others.buyer_external_id
            and status <> 'REJECTED' offset 0
        ) f
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
