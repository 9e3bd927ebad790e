/** Attempts to send mails: their claims and results. Leases use the database's time, on which all workers agree. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { MailKind } from '#kernel/mail-kind';
import type { MailStatus } from './mail.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);
/** As long as it takes to send some mails at once to a mail server that is near. */
const FINISH_WAIT_MS = 2;

export interface ClaimedMail {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  mail_id: string;
  kind: MailKind;
  content_sealed: Buffer;
  /** Attempts before this one. */
  attempts: number;
  age_seconds: number;
}

/**
 * Claims due mails of all platforms for `leaseSeconds`, the longest due first; those of a platform that moves are sent where it
 * moves to. The claims of a killed worker end with their lease. One that is lost with the database needs no write to the disk:
 * its mail is due again.
 */
export async function claimMails(
  db: Db,
  options: { batchSizeMax: number; leaseSeconds: number },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as materialized (
      select platform_id, mail_id from mails
      where status = 'PENDING' and next_attempt_at <= now()
        and platform_id <> all(array(select platform_id from platforms where relocating_since is not null))
      order by next_attempt_at limit ${options.batchSizeMax}
      for update skip locked
    ), claimed as (
      update mails m set next_attempt_at = now() + make_interval(secs => ${options.leaseSeconds})
      from due where m.platform_id = due.platform_id and m.mail_id = due.mail_id
      returning m.*
    ), undurable as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.mail_id, c.kind, c.content_sealed, c.attempts,
      extract(epoch from now() - c.waiting_since)::float8 as age_seconds
    from claimed c join platforms p on p.platform_id = c.platform_id cross join undurable
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
  /** What the mail server answered when it accepted a notice. */
  replySealed: Buffer | null;
  /** The recipient's address, where the mail server has accepted or refused it for good. */
  addressMac: Buffer | null;
}

/**
 * Saves the results of attempts, the proof that a notice was handed over, and which addresses are refused. Returns false for a mail whose attempt another
 * process has finished, and for one that was withdrawn and did not arrive.
 */
export async function finishMails(db: Db, results: MailResult[]): Promise<boolean[]> {
  const column = <K extends keyof MailResult>(name: K) => results.map((result) => result[name]);
  const { rows } = await sql<{ mail_id: string }>`
    with results as (
      select * from unnest(
        ${column('platformId')}::int[], ${column('mailId')}::uuid[], ${column('attempt')}::int[], ${column('status')}::text[],
        ${column('failure')}::text[], ${column('sentAt')}::bigint[], ${column('delaySeconds')}::float8[],
        ${column('replySealed')}::bytea[], ${column('addressMac')}::bytea[])
        as r(platform_id, mail_id, attempt, status, failure, sent_at, delay_seconds, reply_sealed, address_mac)
    ), locked as materialized (
      -- In the order in which mails are withdrawn.
      select m.platform_id, m.mail_id from mails m join results r on r.platform_id = m.platform_id and r.mail_id = m.mail_id
      order by m.platform_id, m.mail_id for update of m
    ), finished as (
      update mails m set status = r.status, attempts = r.attempt, failure = r.failure, sent_at = r.sent_at,
        next_attempt_at = coalesce(now() + make_interval(secs => r.delay_seconds), m.next_attempt_at)
      from results r join locked l on l.platform_id = r.platform_id and l.mail_id = r.mail_id
      where m.platform_id = r.platform_id and m.mail_id = r.mail_id and m.attempts = r.attempt - 1
        and (m.status = 'PENDING' or m.status = 'WITHDRAWN' and r.status = 'SENT')
      returning m.platform_id, m.mail_id, r.sent_at, r.reply_sealed, r.address_mac
    ), handed_over as (
      insert into notice_handovers (platform_id, notice_id, handed_over_at, reply_sealed)
      select n.platform_id, n.notice_id, f.sent_at, f.reply_sealed
      from finished f join notices n on n.platform_id = f.platform_id and n.notice_id = f.mail_id
      where f.sent_at is not null
      on conflict do nothing
    ), refused as (
      insert into refused_addresses (platform_id, address_mac)
      select distinct platform_id, address_mac from finished where address_mac is not null and sent_at is null
      order by platform_id, address_mac
      on conflict do nothing
    ), accepted as (
      delete from refused_addresses a using finished f
      where a.platform_id = f.platform_id and a.address_mac = f.address_mac and f.sent_at is not null
    )
    select mail_id from finished
    ${unprepared}`.execute(db);
  const finished = new Set(rows.map((row) => row.mail_id));
  return results.map((result) => finished.has(result.mailId));
}

/** Mails that are sent at the same time are finished by one statement. */
export const finishMail = gathered(finishMails, { waitMs: FINISH_WAIT_MS });
