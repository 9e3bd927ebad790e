/** Files of payouts. The bytes are written once, encrypted, and never changed. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Currency } from '#kernel/currency';
import type { PayoutInstruction } from '#modules/payees';
import type { PayoutStatus } from './payout.lifecycle.ts';
import { type PayoutRow, payoutsTable } from './payout.queries.ts';

export const payoutFilesTable = table('payout_files', {
  platform_id: 'int',
  external_id: 'text',
  scheme: text<PayoutInstruction['type']>(),
  currency: text<Currency>(),
  execution_on: 'text',
  payouts_count: 'int',
  amount: 'bigint',
  created_at: 'bigint',
  created_by: 'text',
  sha256: 'bytea',
  content_sealed: 'bytea',
});
export type PayoutFileRow = RowOf<typeof payoutFilesTable>;

const placeOf = (externalId: string) => `payout_files/${externalId}`;

export const sealFile = (vault: PlatformVault, externalId: string, content: Buffer) =>
  vault.sealBytes(placeOf(externalId), content);

export const openPayoutFile = (vault: PlatformVault, { external_id, content_sealed }: PayoutFileRow) =>
  vault.openBytes(placeOf(external_id), content_sealed);

export async function insertPayoutFile(
  db: Db,
  file: NewRowOf<typeof payoutFilesTable>,
  payoutExternalIds: readonly string[],
): Promise<void> {
  await db.insertInto('payout_files').values(payoutFilesTable.insertable(file)).execute();
  await sql`
    update payouts set file_external_id = ${file.external_id}
    where platform_id = ${file.platform_id} and external_id = any(${payoutExternalIds}::text[])`.execute(db);
}

/** Undefined for an unknown file. */
export async function findPayoutFile(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<PayoutFileRow | undefined> {
  return db
    .selectFrom('payout_files')
    .select(payoutFilesTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<PayoutFileRow>()
    .executeTakeFirst();
}

const INSTRUCTED: PayoutStatus = 'INSTRUCTED';

/** Released payouts that are in no file, in the order of their keys. */
export async function listUnfiledPayouts(db: Db, platformId: number): Promise<PayoutRow[]> {
  return db
    .selectFrom('payouts')
    .select(payoutsTable.columns)
    .where('platform_id', '=', platformId)
    .where('status', '=', INSTRUCTED)
    .where('file_external_id', 'is', null)
    .orderBy('external_id')
    .$castTo<PayoutRow>()
    .execute();
}
