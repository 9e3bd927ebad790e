/** The parties that have a dunning plan: the platform, merchants or buyers. Invoices without a plan are never examined. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { lockOnPlatform } from '#infra/database/platform-lock';
import { arrayOf } from '#infra/database/unnest-rows';

const LOCK = 'reminded-parties';

/** All invoices of a platform, or those of a merchant or a buyer. */
export interface RemindedParty {
  /** Empty for all merchants. */
  merchantExternalId: string;
  /** Empty for all buyers. */
  buyerExternalId: string;
}

/** Records whether there is a plan for a party. Waits until no transaction holds the lock of `lockReminded`. */
export async function setReminded(
  db: Db,
  platformId: number,
  { merchantExternalId, buyerExternalId }: RemindedParty,
  isReminded: boolean,
): Promise<void> {
  await lockOnPlatform(db, platformId, LOCK);
  if (isReminded)
    await sql`
      insert into reminded_parties (platform_id, merchant_external_id, buyer_external_id)
      values (${platformId}, ${merchantExternalId}, ${buyerExternalId}) on conflict do nothing`.execute(db);
  else
    await sql`
      delete from reminded_parties
      where platform_id = ${platformId} and merchant_external_id = ${merchantExternalId}
        and buyer_external_id = ${buyerExternalId}`.execute(db);
}

/** Whether there is a plan for an invoice. */
export type IsReminded = (invoice: { merchant_external_id: string; buyer_external_id: string }) => boolean;

/**
 * Reads which of these invoices have a plan. The transaction locks or inserts them. No plan comes into force or ends until the
 * transaction ends, so the rescan that follows such a change sees them.
 */
export async function lockReminded(
  db: Db,
  platformId: number,
  invoices: readonly Parameters<IsReminded>[0][],
): Promise<IsReminded> {
  await lockOnPlatform(db, platformId, LOCK, 'shared');
  const merchants = ['', ...invoices.map(({ merchant_external_id }) => merchant_external_id)];
  const buyers = ['', ...invoices.map(({ buyer_external_id }) => buyer_external_id)];
  const { rows } = await sql<Parameters<IsReminded>[0]>`
    select merchant_external_id, buyer_external_id from reminded_parties
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchants)})
      and buyer_external_id = any(${arrayOf('text', buyers)})`.execute(db);
  return (invoice) =>
    rows.some(({ merchant_external_id: merchant, buyer_external_id: buyer }) =>
      buyer === ''
        ? merchant === '' || merchant === invoice.merchant_external_id
        : buyer === invoice.buyer_external_id,
    );
}
