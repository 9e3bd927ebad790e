/** For whose invoices there is a plan of reminders: the platform's, a merchant's or a buyer's. Others are never looked at. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

/** All invoices of a platform, or those of a merchant or a buyer. */
export interface RemindedParty {
  /** Empty for all merchants. */
  merchantExternalId: string;
  /** Empty for all buyers. */
  buyerExternalId: string;
}

/** Records whether there is a plan for a party. Lock the platform first. */
export async function setReminded(
  db: Db,
  platformId: number,
  { merchantExternalId, buyerExternalId }: RemindedParty,
  isReminded: boolean,
): Promise<void> {
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

/** Reads which of these invoices, that are locked, there is a plan for. */
export async function findReminded(
  db: Db,
  platformId: number,
  invoices: readonly Parameters<IsReminded>[0][],
): Promise<IsReminded> {
  const merchants = ['', ...invoices.map(({ merchant_external_id }) => merchant_external_id)];
  const buyers = ['', ...invoices.map(({ buyer_external_id }) => buyer_external_id)];
  const { rows } = await sql<Parameters<IsReminded>[0]>`
    select merchant_external_id, buyer_external_id from reminded_parties
    where platform_id = ${platformId} and merchant_external_id = any(${merchants}::text[])
      and buyer_external_id = any(${buyers}::text[])`.execute(db);
  return (invoice) =>
    rows.some(({ merchant_external_id: merchant, buyer_external_id: buyer }) =>
      buyer === ''
        ? merchant === '' || merchant === invoice.merchant_external_id
        : buyer === invoice.buyer_external_id,
    );
}

/**
 * The same for invoices that are about to be inserted. No plan comes into force until the transaction ends: who puts one in
 * force sees these invoices, or they see the plan.
 */
export async function lockReminded(
  db: Db,
  platformId: number,
  invoices: readonly Parameters<IsReminded>[0][],
): Promise<IsReminded> {
  await sql`select from platforms where platform_id = ${platformId} for share`.execute(db);
  return findReminded(db, platformId, invoices);
}
