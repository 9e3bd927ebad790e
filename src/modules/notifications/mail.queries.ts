/** Queued and sent mails. Retries and leases use the database's time, on which all workers agree. */
import { type Selectable, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { Mails } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import { transitionOf } from '#kernel/lifecycle';
import { type MailStatus, mailLifecycle } from './mail.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);

export type MailRow = Selectable<Mails>;

/** The sealed part of a mail: its text and its recipients. */
export interface MailContent {
  to: string;
  from: {
    name: string;
    /** Null for the installation's sender. */
    address: string | null;
  };
  bcc: string | null;
  replyTo: string | null;
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
}

const unnestMails = unnestRows<NewMailRow>('t', {
  platform_id: ['int', 'platformId'],
  mail_id: ['uuid', 'mailId'],
  cause: ['text', 'cause'],
  kind: ['text', 'kind'],
  status: ['text', 'status'],
  created_at: ['bigint', 'createdAt'],
  content_sealed: ['bytea', 'contentSealed'],
});

/** Returns in the order of the items whether each was inserted: false where its cause has a mail already. */
export async function insertMails(db: Db, mails: NewMailRow[]): Promise<boolean[]> {
  const { rows } = await sql<{ mail_id: string }>`
    insert into mails (platform_id, mail_id, cause, kind, status, created_at, content_sealed)
    select * from ${unnestMails(mails)}
    order by platform_id, cause
    on conflict (platform_id, cause) do nothing
    returning mail_id`.execute(db);
  const written = new Set(rows.map((row) => row.mail_id));
  return mails.map((mail) => written.has(mail.mailId));
}

export interface ClaimedMail {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  mail_id: string;
  kind: string;
  content_sealed: Buffer;
  /** Attempts before this one. */
  attempts: number;
  age_seconds: number;
}

/**
 * Claims due mails of all platforms for `leaseSeconds`, the longest due first. The claims of a killed worker end with their
 * lease.
 */
export async function claimMails(
  db: Db,
  options: { batchSizeMax: number; leaseSeconds: number },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as materialized (
      select platform_id, mail_id from mails
      where status = 'PENDING' and next_attempt_at <= now()
      order by next_attempt_at limit ${options.batchSizeMax}
      for update skip locked
    ), claimed as (
      update mails m set next_attempt_at = now() + make_interval(secs => ${options.leaseSeconds})
      from due where m.platform_id = due.platform_id and m.mail_id = due.mail_id
      returning m.*
    )
    select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.mail_id, c.kind, c.content_sealed, c.attempts,
      extract(epoch from now() - c.waiting_since)::float8 as age_seconds
    from claimed c join platforms p on p.platform_id = c.platform_id
    ${unprepared}`.execute(db);
  return rows;
}

export interface MailKey {
  platformId: number;
  mailId: string;
}

/** Sets the next attempt of claimed mails to `seconds` from now: renews the claim or, with 0, returns it. */
export async function postponeMails(db: Db, keys: MailKey[], seconds: number): Promise<void> {
  await sql`
    with claimed as materialized (
      select m.platform_id, m.mail_id
      from unnest(${keys.map((key) => key.platformId)}::int[], ${keys.map((key) => key.mailId)}::uuid[]) k(platform_id, mail_id)
      join mails m on m.platform_id = k.platform_id and m.mail_id = k.mail_id
      where m.status = 'PENDING'
      for update of m skip locked
    )
    update mails m set next_attempt_at = now() + make_interval(secs => ${seconds})
    from claimed where m.platform_id = claimed.platform_id and m.mail_id = claimed.mail_id
    ${unprepared}`.execute(db);
}

export interface MailResult extends MailKey {
  /** From 1. */
  attempt: number;
  /** The new status, by the lifecycle. */
  status: MailStatus;
  failure: string | null;
  /** Unix seconds; null where it was not sent. */
  sentAt: number | null;
  /** Seconds to the next attempt, where there is one. */
  delaySeconds: number | null;
}

/** Saves the results of attempts. Returns false for a mail whose attempt another process has finished. */
export async function finishMails(db: Db, results: MailResult[]): Promise<boolean[]> {
  const column = <K extends keyof MailResult>(name: K) => results.map((result) => result[name]);
  const { rows } = await sql<{ mail_id: string }>`
    update mails m set status = r.status, attempts = r.attempt, failure = r.failure, sent_at = r.sent_at,
      next_attempt_at = coalesce(now() + make_interval(secs => r.delay_seconds), m.next_attempt_at)
    from unnest(
      ${column('platformId')}::int[], ${column('mailId')}::uuid[], ${column('attempt')}::int[], ${column('status')}::text[],
      ${column('failure')}::text[], ${column('sentAt')}::bigint[], ${column('delaySeconds')}::float8[])
      as r(platform_id, mail_id, attempt, status, failure, sent_at, delay_seconds)
    where m.platform_id = r.platform_id and m.mail_id = r.mail_id and m.status = 'PENDING' and m.attempts = r.attempt - 1
    returning m.mail_id
    ${unprepared}`.execute(db);
  const finished = new Set(rows.map((row) => row.mail_id));
  return results.map((result) => finished.has(result.mailId));
}

export const finishMail = gathered(finishMails);

/** Queues failed mails again, with a new schedule: all of the platform, or one. Returns their number. */
export async function retryMails(db: Db, platformId: number, mailId: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set status = ${transitionOf(mailLifecycle, 'FAILED', 'retry').to}, attempts = 0, waiting_since = now(),
      next_attempt_at = now()
    where platform_id = ${platformId} and status = 'FAILED' and mail_id = coalesce(${mailId}::uuid, mail_id)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

export interface FailedMail {
  platform_id: number;
  mail_id: string;
  cause: string;
  failure: string | null;
}

/**
 * Marks failed mails of all platforms as reported to support, at most `batchSizeMax`, and returns them by platform. Mails
 * of `exceptKinds` stay unreported.
 */
export async function takeFailedMails(
  db: Db,
  batchSizeMax: number,
  exceptKinds: readonly string[],
): Promise<FailedMail[]> {
  const { rows } = await sql<FailedMail>`
    with due as materialized (
      select platform_id, mail_id from mails
      where status = 'FAILED' and not is_support_notified and kind <> all(${exceptKinds}::text[])
      order by platform_id, mail_id limit ${batchSizeMax}
      for update skip locked
    )
    update mails m set is_support_notified = true
    from due where m.platform_id = due.platform_id and m.mail_id = due.mail_id
    returning m.platform_id, m.mail_id, m.cause, m.failure
    ${unprepared}`.execute(db);
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

/** Deletes mails of all platforms that are older than 30 days, at most `batchSizeMax`. Returns their number. */
export async function pruneMails(db: Db, batchSizeMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select platform_id, mail_id from mails where waiting_since < now() - interval '30 days'
      order by waiting_since limit ${batchSizeMax}
    )
    delete from mails m using old where m.platform_id = old.platform_id and m.mail_id = old.mail_id
    ${unprepared}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
