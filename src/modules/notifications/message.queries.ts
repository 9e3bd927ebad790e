/** The mails about a buyer, as the API lists them. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { listPage, type Page } from '#operation/list';
import type { MailStatus } from './mail.lifecycle.ts';
import { type MailRow, openMail } from './mail.queries.ts';
import type { BuyerMessage } from './message.schemas.ts';

/** Newest first. */
export async function listMessageRows(db: Db, platformId: number, buyerExternalId: string, page: Page) {
  const ofBuyer = db
    .selectFrom('mails')
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId);
  const [rows, { total }] = await Promise.all([
    ofBuyer
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('mail_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    ofBuyer.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return listPage(rows, total, page);
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
