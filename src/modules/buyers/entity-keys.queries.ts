/** Which buyers are one legal entity: those with a number in common. The numbers are stored as keyed hashes. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { BuyerKey } from './buyer.queries.ts';

/** The distinct keys of these numbers, in the order in which they are locked. */
export function entityKeysOf(vault: PlatformVault, numbers: readonly string[]): Buffer[] {
  return [...new Set(numbers)].map((number) => vault.mac('legal_entities', number)).sort(Buffer.compare);
}

export interface EntityKeysOfBuyer {
  externalId: string;
  keys: readonly Buffer[];
}

/** Adds keys to those of buyers. Former keys stay, because credit may have been granted under them. */
export async function addEntityKeys(
  db: Db,
  platformId: number,
  buyers: readonly EntityKeysOfBuyer[],
): Promise<void> {
  const rows = buyers.flatMap(({ externalId, keys }) => keys.map((key) => ({ externalId, key })));
  if (rows.length === 0) return;
  await sql`
    insert into buyer_entity_keys (platform_id, entity_key, buyer_external_id)
    select ${platformId}::int, k.entity_key, k.buyer_external_id from ${unnestEntityKeys(rows)}
    on conflict do nothing`.execute(db);
}

const unnestEntityKeys = unnestRows<{ externalId: string; key: Buffer }>('k', {
  buyer_external_id: ['text', 'externalId'],
  entity_key: ['bytea', 'key'],
});

/** Deletes the buyer's keys other than these. Call it only if no credit that the buyer holds was granted under them. */
export async function dropFormerEntityKeys(
  db: Db,
  { platformId, externalId }: BuyerKey,
  keys: readonly Buffer[],
): Promise<void> {
  await sql`
    delete from buyer_entity_keys
    where platform_id = ${platformId} and buyer_external_id = ${externalId}
      and entity_key <> all(${keys}::bytea[])`.execute(db);
}

/**
 * Locks legal entities as `lockEntityKeys` does, and adds `keys` to those of the buyer. `isFirst` also deletes its other
 * keys, because the buyer holds nothing that was granted under them.
 */
export async function joinEntity(
  db: Db,
  { platformId, externalId }: BuyerKey,
  keys: readonly Buffer[],
  { entityKeys, isFirst }: { entityKeys: RawBuilder<unknown>; isFirst: boolean },
): Promise<Buffer[]> {
  const { rows } = await sql<{ entity_key: Buffer }>`
    with locked as (${lockingKeys(platformId, entityKeys)}), dropped as (
      delete from buyer_entity_keys
      where platform_id = ${platformId} and buyer_external_id = ${externalId} and ${isFirst}
        and entity_key <> all(${keys}::bytea[])
    ), joined as (
      insert into buyer_entity_keys (platform_id, entity_key, buyer_external_id)
      select ${platformId}::int, entity_key, ${externalId}::text from unnest(${arrayOf('bytea', keys)}) entity_key
      on conflict do nothing
    )
    select entity_key from locked`.execute(db);
  return rows.map((row) => row.entity_key);
}

/**
 * Locks the legal entities with the keys that `entityKeys` selects until the transaction ends, and returns these keys.
 * Locks them in key order, so that decisions about buyers of one entity run one after the other. Locks are taken in the
 * order review, legal entity, facility.
 */
export async function lockEntityKeys(
  db: Db,
  platformId: number,
  entityKeys: RawBuilder<unknown>,
): Promise<Buffer[]> {
  const { rows } = await sql<{ entity_key: Buffer }>`${lockingKeys(platformId, entityKeys)}`.execute(db);
  return rows.map((row) => row.entity_key);
}

function lockingKeys(platformId: number, entityKeys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into legal_entities (platform_id, entity_key)
    select ${platformId}::int, entity_key from (${entityKeys}) e order by entity_key
    on conflict (platform_id, entity_key) do update set entity_key = excluded.entity_key
    returning entity_key`;
}

/** The column of an entity's key. */
export const ENTITY_KEY_COLUMN = 'entity_key';

/** The keys of all legal entities of the platform. */
export async function listEntityKeys(db: Db, platformId: number): Promise<Buffer[]> {
  const { rows } = await sql<{ entity_key: Buffer }>`
    select entity_key from legal_entities where platform_id = ${platformId}
    union select entity_key from buyer_entity_keys where platform_id = ${platformId}`.execute(db);
  return rows.map(({ entity_key }) => entity_key);
}
