/** Mails as they wait and were sent. Retries and leases use real time, which is the database's: several workers agree on it. */
import { type Selectable, sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { Mails } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import { transitionOf } from '#kernel/lifecycle';
import { type MailStatus, mailLifecycle } from './mail.lifecycle.ts';

const again = sql.raw(UNPREPARED);

export type MailRow = Selectable<Mails>;

/** What is sealed of a mail: all that it says, and to whom. */
export interface MailContent {
  to: string;
  from: { name: string /** Null: the sender of the installation. */; address: string | null };
  bcc: string | null;
  replyTo: string | null;
  /** BCP 47. */
  locale: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  text: string;
  html: string;
}

const placeOf = (mailId: string) => `mails/${mailId}`;

export function sealMail(vault: PlatformVault, mailId: string, content: MailContent): Buffer {
  return vault.seal(placeOf(mailId), JSON.stringify(content));
}

export function openMail(
  vault: PlatformVault,
  { mail_id, content_sealed }: Pick<MailRow, 'mail_id' | 'content_sealed'>,
): MailContent {
  return JSON.parse(vault.open(placeOf(mail_id), content_sealed));
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

/** In the order of the items, whether each was written: false where its cause has a mail already. */
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

export const insertMail = gathered(insertMails, { keysOf: (mail) => [`${mail.platformId}/${mail.cause}`] });

export interface ClaimedMail {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  mail_id: string;
  kind: string;
  content_sealed: Buffer;
  /** Attempts made before this one. */
  attempts: number;
  age_seconds: number;
}

/**
 * Claims mails that are due, of all platforms and the longest due first, for `leaseSeconds`. A killed worker's claims
 * come back when their lease ends.
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
    ${again}`.execute(db);
  return rows;
}

export interface MailKey {
  platformId: number;
  mailId: string;
}

/** Mails that are being sent: their next attempt is `seconds` from now, to keep the claim or, with 0, to give it back. */
export async function postponeMails(db: Db, keys: MailKey[], seconds: number): Promise<void> {
  await sql`
    with held as materialized (
      select m.platform_id, m.mail_id
      from unnest(${keys.map((key) => key.platformId)}::int[], ${keys.map((key) => key.mailId)}::uuid[]) k(platform_id, mail_id)
      join mails m on m.platform_id = k.platform_id and m.mail_id = k.mail_id
      where m.status = 'PENDING'
      for update of m skip locked
    )
    update mails m set next_attempt_at = now() + make_interval(secs => ${seconds})
    from held where m.platform_id = held.platform_id and m.mail_id = held.mail_id
    ${again}`.execute(db);
}

export interface MailResult extends MailKey {
  /** From 1. */
  attempt: number;
  /** What the mail's lifecycle makes of it. */
  status: MailStatus;
  failure: string | null;
  /** Unix seconds; null where it was not sent. */
  sentAt: number | null;
  /** Seconds to the next attempt, where there is one. */
  delaySeconds: number | null;
}

/** Writes what attempts came to. What another process finished meanwhile stays as it is. */
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
    ${again}`.execute(db);
  const finished = new Set(rows.map((row) => row.mail_id));
  return results.map((result) => finished.has(result.mailId));
}

export const finishMail = gathered(finishMails);

/** Mails that failed wait again, as if they were new: all of the platform, or the one. Answers how many. */
export async function retryMails(db: Db, platformId: number, mailId: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set status = ${transitionOf(mailLifecycle, 'FAILED', 'retry').to}, attempts = 0, waiting_since = now(),
      next_attempt_at = now()
    where platform_id = ${platformId} and status = 'FAILED' and mail_id = coalesce(${mailId}::uuid, mail_id)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
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

/** Of all platforms: what is older than 30 days goes, in batches small enough not to be felt. */
export async function pruneMails(db: Db, batchSizeMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select platform_id, mail_id from mails where waiting_since < now() - interval '30 days'
      order by waiting_since limit ${batchSizeMax}
    )
    delete from mails m using old where m.platform_id = old.platform_id and m.mail_id = old.mail_id
    ${again}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
