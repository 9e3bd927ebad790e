/**
 * Notices: the evidence of mails and letters with legal consequences, which is kept for years. Rows are only inserted, and deleted after
 * the time that a setting states.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { listPage, type Page } from '#operation/list';

const vaultPathOf = (noticeId: string) => `notices/${noticeId}/reply`;

export function sealReply(vault: PlatformVault, noticeId: string, reply: string): Buffer {
  return vault.seal(vaultPathOf(noticeId), reply);
}

/** The notice of a mail with legal consequences, recorded when the mail is queued. */
export interface NewNotice {
  recipientMasked: string;
  language: string;
  /** The SHA-256 of the mail's text. */
  textSha256: Buffer;
}

export interface NoticeRow {
  notice_id: string;
  cause: string;
  kind: string;
  buyer_external_id: string | null;
  recipient_masked: string;
  language: string;
  text_sha256: Buffer;
  /** Unix seconds. */
  created_at: number;
  /** Unix seconds; null before the mail server accepted it. Letters are handed over when they are printed. */
  handed_over_at: number | null;
  reply_sealed: Buffer | null;
}

/** The mail server's reply when it accepted the notice; null before, and in a sandbox without a mail server. */
export function openReply(
  vault: PlatformVault,
  { notice_id, reply_sealed }: Pick<NoticeRow, 'notice_id' | 'reply_sealed'>,
): string | null {
  return reply_sealed && vault.open(vaultPathOf(notice_id), reply_sealed);
}

/** A printed letter with legal consequences. */
export interface NewLetterNotice extends NewNotice {
  cause: string;
  buyerExternalId: string;
  /** Unix seconds. */
  now: number;
}

/** Records a letter when it is printed. Its SHA-256 is that of the PDF. */
export async function insertLetterNotice(
  db: Db,
  platformId: number,
  { cause, buyerExternalId, recipientMasked, language, textSha256, now }: NewLetterNotice,
): Promise<void> {
  const noticeId = randomUUID();
  await sql`
    with noticed as (
      insert into notices (platform_id, notice_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256,
        created_at)
      values (${platformId}, ${noticeId}, ${cause}, 'letter', ${buyerExternalId}, ${recipientMasked}, ${language},
        ${textSha256}, ${now})
    )
    insert into notice_handovers (platform_id, notice_id, handed_over_at)
    values (${platformId}, ${noticeId}, ${now})`.execute(db);
}

/** Lists the newest first, of one buyer or of all. */
export async function listNotices(
  db: Db,
  platformId: number,
  { buyer, ...page }: Page & { buyer: string | null },
): Promise<{ items: NoticeRow[]; total: number }> {
  const ofBuyer = buyer === null ? sql`true` : sql`n.buyer_external_id = ${buyer}`;
  const { rows } = await sql<NoticeRow>`
    select n.notice_id, n.cause, n.kind, n.buyer_external_id, n.recipient_masked, n.language, n.text_sha256, n.created_at,
      h.handed_over_at, h.reply_sealed
    from notices n left join notice_handovers h using (platform_id, notice_id)
    where n.platform_id = ${platformId} and ${ofBuyer}
    order by n.created_at desc, n.notice_id limit ${page.limit} offset ${page.offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from notices n where n.platform_id = ${platformId} and ${ofBuyer}`.execute(
    db,
  );
  return listPage(rows, counted.rows[0]?.total ?? 0, page);
}

/** Whether a notice was queued for the buyer at that instant (unix seconds): one notice is enough for one transaction. */
export async function wasNotified(
  db: Db,
  platformId: number,
  { buyerExternalId, at }: { buyerExternalId: string; at: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from notices
    where platform_id = ${platformId} and buyer_external_id = ${buyerExternalId} and created_at = ${at} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export interface NoticePruning {
  keptYears: number;
  batchSizeMax: number;
}

/** Deletes notices of all platforms older than `keptYears`, at most `batchSizeMax`. Returns their number. */
export async function pruneNotices(db: Db, { keptYears, batchSizeMax }: NoticePruning): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select platform_id, notice_id from notices where recorded_at < now() - make_interval(years => ${keptYears}::int)
      order by recorded_at limit ${batchSizeMax}
    )
    delete from notices n using old where n.platform_id = old.platform_id and n.notice_id = old.notice_id
    ${sql.raw(UNPREPARED)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
