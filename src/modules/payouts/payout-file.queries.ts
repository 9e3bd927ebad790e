/** Files of payouts. The bytes are written once, encrypted, and never changed. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Currency } from '#kernel/currency';
import { isUuid } from '#kernel/uuid';
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
    where platform_id = ${file.platform_id} and external_id = any(${arrayOf('text', payoutExternalIds)})`.execute(
    db,
  );
}

/** Returns undefined for an unknown file. */
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

/** The message id by which the bank names a file: its external_id in 32 characters, because a message id has at most 35. */
export const messageIdOf = (fileExternalId: string): string =>
  fileExternalId.replaceAll('-', '').toUpperCase();

/** The file that a bank's message id may refer to; null if the id does not have the form of `messageIdOf`. */
export function fileIdOfMessage(messageId: string): string | null {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(messageId.toLowerCase()) ?? [];
  const id = parts.join('-');
  return isUuid(id) ? id : null;
}

/** The payouts in files, by the message id of the file. Unknown files are missing. */
export async function findPayoutsByMessage(
  db: Db,
  platformId: number,
  messageIds: readonly string[],
): Promise<Map<string, PayoutRow[]>> {
  const fileIds = messageIds.flatMap((messageId) => fileIdOfMessage(messageId) ?? []);
  if (fileIds.length === 0) return new Map();
  const files = await db
    .selectFrom('payout_files')
    .select('external_id')
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`external_id = any(${arrayOf('text', fileIds)})`)
    .execute();
  const known = new Set(files.map(({ external_id }) => external_id));
  const payouts = await db
    .selectFrom('payouts')
    .select(payoutsTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`file_external_id = any(${arrayOf('text', [...known])})`)
    .orderBy('external_id')
    .$castTo<PayoutRow>()
    .execute();
  return new Map(
    messageIds.flatMap((messageId) => {
      const fileId = fileIdOfMessage(messageId);
      const ofFile = payouts.filter(({ file_external_id }) => file_external_id === fileId);
      return fileId !== null && known.has(fileId) ? [[messageId, ofFile]] : [];
    }),
  );
}

const INSTRUCTED: PayoutStatus = 'INSTRUCTED';

/** Released payouts that are not in a file, in the order of their keys. */
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
