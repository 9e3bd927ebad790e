/** The mails about a buyer, as the API lists them. */
import { sql } from 'kysely';
import type { PlatformVault } from '#infra/secrets/vault';
import type { CursorPage } from '#operation/list';
import { inOrderOf, type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { MailStatus } from './mail.lifecycle.ts';
import { type MailRow, openMail } from './mail.queries.ts';
import type { BuyerMessage } from './message.schemas.ts';

const MESSAGES: ListTable<{ buyer_external_id: string[] }> = {
  table: 'mails',
  key: 'mail_id',
  values: ['buyer_external_id'],
  ranges: [],
};

/** Newest first. */
export async function listMessageRows(context: ListContext, buyerExternalId: string, page: CursorPage) {
  const { keys, listed } = await listKeys(context, MESSAGES, { buyer_external_id: [buyerExternalId] }, page);
  const rows = await context.db
    .selectFrom('mails')
    .selectAll()
    .where('platform_id', '=', context.platformId)
    .where(sql<boolean>`mail_id = any(${keys}::uuid[])`)
    .execute();
  return { rows: inOrderOf(keys, rows, (row) => row.mail_id), listed };
}

export function toMessage(row: MailRow, vault: PlatformVault): BuyerMessage {
  const { subject, language } = openMail(vault, row);
  return {
    id: row.mail_id,
    kind: row.kind as BuyerMessage['kind'],
    subject,
    language,
    status: row.status as MailStatus,
    created_at: row.created_at,
    sent_at: row.sent_at,
  };
}
