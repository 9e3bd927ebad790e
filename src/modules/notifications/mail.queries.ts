/** Queued and sent mails. Retries and leases use the database's time, on which all workers agree. */
import { type Selectable, sql } from 'kysely';
import { type Db, isCluster, UNPREPARED } from '#infra/database/database';
import { isNotRelocating, onAllPlatforms } from '#infra/database/each-platform';
import { inlineOnCluster } from '#infra/database/one-node';
import type { Mails } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import { DAY_SECONDS } from '#kernel/day';
import type { Language } from '#kernel/language';
import { transitionOf } from '#kernel/lifecycle';
import { CODE_KINDS } from '#kernel/mail-kind';
import { type MailStatus, mailLifecycle } from './mail.lifecycle.ts';
import type { NewNotice } from './notice.queries.ts';
import { insertPremises, type Premise } from './premise.queries.ts';

const unprepared = sql.raw(UNPREPARED);

export type MailRow = Selectable<Mails>;

/** A stored file of the platform that a mail names, so that its content is stored once. */
interface AttachedFile {
  fileId: string;
  /** The name that the recipient sees. */
  name: string;
  mediaType: string;
}

/** A document that is typeset as PDF when the mail that names it is sent. */
export interface AttachedDocument {
  documentId: string;
  /** The name that the recipient sees. */
  name: string;
}

/** An attachment of a mail. */
export type Attached = AttachedFile | AttachedDocument;

/** The sealed part of a mail: its text and its recipients. */
export interface MailContent {
  to: string;
  from: {
    name: string;
    /** Null for the installation's sender. */
    address: string | null;
  };
  /** The address of the copy, only in mails of an earlier release: copies are now separate mails. */
  bcc: string | null;
  files: readonly Attached[];
  replyTo: string | null;
  language: Language;
  /** BCP 47. */
  locale: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  text: string;
  html: string;
}

const vaultPathOf = (mailId: string) => `mails/${mailId}`;

export function sealMail(vault: PlatformVault, mailId: string, content: MailContent): Buffer {
  return vault.seal(vaultPathOf(mailId), JSON.stringify(content));
}

export function openMail(
  vault: PlatformVault,
  { mail_id, content_sealed }: Pick<MailRow, 'mail_id' | 'content_sealed'>,
): MailContent {
  return JSON.parse(vault.open(vaultPathOf(mail_id), content_sealed));
}

export interface NewMailRow {
  platformId: number;
  mailId: string;
  cause: string;
  kind: string;
  status: MailStatus;
  /** Unix seconds. */
  createdAt: number;
  contentSealed: Buffer;
  /** The buyer that the mail is about; null if it is not about a buyer. */
  buyerExternalId: string | null;
  premises: readonly Premise[];
  /** Null if the mail has no legal consequences. */
  notice: NewNotice | null;
}

const unnestMails = unnestRows<NewMailRow>('t', {
  platform_id: ['int', 'platformId'],
  mail_id: ['uuid', 'mailId'],
  cause: ['text', 'cause'],
  kind: ['text', 'kind'],
  status: ['text', 'status'],
  created_at: ['bigint', 'createdAt'],
  content_sealed: ['bytea', 'contentSealed'],
  buyer_external_id: ['text', 'buyerExternalId'],
  is_notice: ['boolean', ({ notice }) => notice !== null],
  recipient_masked: ['text', ({ notice }) => notice?.recipientMasked ?? null],
  language: ['text', ({ notice }) => notice?.language ?? null],
  text_sha256: ['bytea', ({ notice }) => notice?.textSha256 ?? null],
});

/**
 * Returns in the order of the items whether each was inserted: false if its cause already has a mail. A notice is queued once, even
 * long after its mail was deleted.
 */
export async function insertMails(db: Db, mails: NewMailRow[]): Promise<boolean[]> {
  const rows: { mail_id: string }[] = [];
  for (const [platformId, ofPlatform] of Map.groupBy(mails, (mail) => mail.platformId))
    rows.push(...(await insertOnPlatform(db, platformId, ofPlatform)));
  const written = new Set(rows.map((row) => row.mail_id));
  const premises = mails.flatMap(({ platformId, mailId, premises: all }) =>
    written.has(mailId) ? all.map((each) => ({ ...each, platformId, mailId })) : [],
  );
  if (premises.length > 0) await insertPremises(db, premises);
  return mails.map((mail) => written.has(mail.mailId));
}

async function insertOnPlatform(
  db: Db,
  platformId: number,
  mails: NewMailRow[],
): Promise<{ mail_id: string }[]> {
  // On a cluster, the parts of a statement run in sequence, so the notices already exist.
  const noticed = isCluster(db)
    ? sql`select notice_id from notices n where n.platform_id = ${platformId} and n.notice_id = mail_id`
    : sql`select notice_id from noticed`;
  const { rows } = await sql<{ mail_id: string }>`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestMails(mails)}
    ), noticed as (
      insert into notices (platform_id, notice_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256,
        created_at)
      select ${platformId}::int, mail_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256, created_at
      from input i
      where is_notice
        and not exists (select from mails m where m.platform_id = ${platformId} and m.cause = i.cause)
      order by cause
      on conflict (platform_id, cause) do nothing
      returning notice_id
    )
    insert into mails (platform_id, mail_id, cause, kind, status, created_at, content_sealed, buyer_external_id,
      next_attempt_at)
    select ${platformId}::int, mail_id, cause, kind, status, created_at, content_sealed, buyer_external_id,
      -- Makes codes due first, because no other mail is tried for longer than a day. A cluster calls no function in a case.
      now() - (kind = any(${CODE_KINDS}::text[]))::int * interval '1 day'
    from input
    where not is_notice or mail_id in (${noticed})
    order by cause
    on conflict (platform_id, cause) do nothing
    returning mail_id`.execute(db);
  return rows;
}

/** Queues failed mails again, with a new schedule: all of the platform, or one. Excludes expired codes. Returns their number. */
export async function retryMails(db: Db, platformId: number, mailId: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    with failed as materialized (
      -- Locks in the order in which mails are withdrawn.
      select mail_id from mails
      where platform_id = ${platformId} and status = 'FAILED' and kind <> all(${CODE_KINDS}::text[])
        and mail_id = coalesce(${mailId}::uuid, mail_id)
      order by mail_id for update
    )
    update mails m set status = ${transitionOf(mailLifecycle, 'FAILED', 'retry').to}, attempts = 0, waiting_since = now(),
      next_attempt_at = now()
    from failed where m.platform_id = ${platformId} and m.mail_id = failed.mail_id
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

export interface FailedMail {
  platform_id: number;
  mail_id: string;
  cause: string;
  failure: string | null;
}

/**
 * Marks failed mails of all platforms as reported to support, at most `batchSizeMax`, and returns them by platform. Leaves out mails
 * of `exceptKinds`, and of platforms that are relocating.
 */
export async function takeFailedMails(
  db: Db,
  batchSizeMax: number,
  exceptKinds: readonly string[],
): Promise<FailedMail[]> {
  const isDue = sql`status = 'FAILED' and not is_support_notified and kind <> all(${exceptKinds}::text[])
    and ${isNotRelocating('platform_id')}`;
  const failed = sql<{ platform_id: number }>`
    select distinct platform_id from mails where ${isDue} order by platform_id limit ${batchSizeMax}`;
  const rows = await onAllPlatforms(db, failed, async ({ isWithin }) => {
    const taken = await sql<FailedMail>`
      with due as materialized (
        select platform_id, mail_id from mails
        where ${isWithin()} and ${isDue}
        order by platform_id, mail_id limit ${batchSizeMax}
        -- Without skip locked: two workers would report a part each.
        for update
      )
      update mails m set is_support_notified = true
      from due where ${isWithin('m.platform_id')} and m.platform_id = due.platform_id and m.mail_id = due.mail_id
      returning m.platform_id, m.mail_id, m.cause, m.failure
      ${unprepared}`.execute(db);
    return taken.rows;
  });
  return rows.sort((one, other) => one.platform_id - other.platform_id || (one.cause < other.cause ? -1 : 1));
}

/** Newest first. */
export async function listMails(
  db: Db,
  platformId: number,
  { status, limit, offset }: { status?: MailStatus; limit: number; offset: number },
): Promise<MailRow[]> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('platform_id', '=', platformId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as MailStatus))
    .orderBy('created_at', 'desc')
    .orderBy('waiting_since', 'desc')
    .orderBy('mail_id')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function findMail(db: Db, platformId: number, mailId: string): Promise<MailRow | undefined> {
  return db
    .selectFrom('mails')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('mail_id', '=', mailId)
    .executeTakeFirst();
}

/** Whether a cause has a mail. */
export async function hasMail(db: Db, platformId: number, cause: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('mail_id')
    .where('platform_id', '=', platformId)
    .where('cause', '=', cause)
    .executeTakeFirst();
  return row !== undefined;
}

/** A cause of mails about a buyer. */
export interface CauseOfMails {
  buyerExternalId: string;
  cause: string;
}

const unnestCauses = unnestRows<CauseOfMails>(
  'k',
  { buyer_external_id: ['text', 'buyerExternalId'], cause: ['text', 'cause'] },
  { withNth: true },
);

/**
 * Returns, in the order of the causes, the statuses of the mails of each, one per recipient. Empty if a cause has no mails, or they
 * were deleted.
 */
export async function listMailStatuses(
  db: Db,
  platformId: number,
  causes: readonly CauseOfMails[],
): Promise<MailStatus[][]> {
  const { rows } = await sql<{ nth: number; status: MailStatus }>`
    select k.nth, m.status
    from ${unnestCauses(causes)}
    cross join lateral (
      select status from mails
      where platform_id = ${platformId} and buyer_external_id = k.buyer_external_id
        and (cause = k.cause or starts_with(cause, k.cause || '/to/'))
      offset 0
    ) m`.execute(db);
  const byCause = Map.groupBy(rows, ({ nth }) => nth);
  return causes.map((_, nth) => (byCause.get(nth + 1) ?? []).map(({ status }) => status));
}

/** How long mails are kept. */
export const MAILS_KEPT_SECONDS = 30 * DAY_SECONDS;

/** Deletes mails of all platforms older than 30 days, at most `batchSizeMax`. Returns their number. */
export async function pruneMails(db: Db, batchSizeMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select platform_id, mail_id from mails where waiting_since < now() - make_interval(secs => ${MAILS_KEPT_SECONDS})
      order by waiting_since limit ${batchSizeMax}
    )
    delete from mails m using old where m.platform_id = old.platform_id and m.mail_id = old.mail_id
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
