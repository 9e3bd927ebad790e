/** The mails about a buyer, as the API lists them. */
import { sql } from 'kysely';
import type { PlatformVault } from '#infra/secrets/vault';
import { CODE_KINDS } from '#kernel/mail-kind';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { MailStatus } from './mail.lifecycle.ts';
import { type MailRow, openMail } from './mail.queries.ts';
import type { BuyerMessage } from './message.schemas.ts';

interface MessagesOf {
  buyer_external_id: string[];
  /** Excludes codes: a code opens the buyer's page, and the subject of its mail contains it. */
  has_code: false;
}

const MESSAGES: ListTable<MessagesOf> = {
  table: 'mails',
  key: 'mail_id',
  of: 'buyer_external_id',
  values: ['buyer_external_id'],
  ranges: [],
  conditions: { has_code: () => sql`t.kind <> all(${CODE_KINDS}::text[])` },
};

/** Newest first. */
export async function listMessageRows(context: ListContext, buyerExternalId: string, page: CursorPage) {
  const ofBuyer: MessagesOf = { buyer_external_id: [buyerExternalId], has_code: false };
  return listRows<MessagesOf, MailRow>(context, MESSAGES, ofBuyer, page);
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
