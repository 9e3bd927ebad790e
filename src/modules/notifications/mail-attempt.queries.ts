/** Attempts to send mails: their claims and results. Leases use the database's time, on which all workers agree. */
import { sql } from 'kysely';
import { type Db, isCluster, UNPREPARED } from '#infra/database/database';
import { isNotRelocating, onAllPlatforms, onEachPlatform } from '#infra/database/each-platform';
import { byPlatform, gathered } from '#infra/database/gather';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { MailKind } from '#kernel/mail-kind';
import type { MailStatus } from './mail.lifecycle.ts';

const unprepared = sql.raw(UNPREPARED);
/** A cluster plans for the values, because they name the platform. */
const preparedIfPossible = (db: Db) => (isCluster(db) ? unprepared : sql``);
/** The time in which several mails are sent concurrently to a nearby mail server. No caller waits for a single result. */
const FINISH_WAIT_MS = 5;

/** Short, so that the mails of a killed worker are due again soon. */
export const MAIL_LEASE_SECONDS = 10;

export interface ClaimedMail {
  platform_id: number;
  platform_code: string;
  data_key_wrapped: Buffer;
  mail_id: string;
  kind: MailKind;
  /** The buyer that the mail is about; null if it is not about a buyer. */
  buyer_external_id: string | null;
  /** Unix seconds of the platform's clock. */
  created_at: number;
  content_sealed: Buffer;
  /** The number of earlier attempts. */
  attempts: number;
  age_seconds: number;
}

/**
 * Claims due mails of all platforms for `leaseSeconds`, the longest due first, except those of a relocating platform, which its new cell
 * sends. The claims of a killed worker end with their lease. Claims commit asynchronously: if the database loses one, its mail is due
 * again.
 */
export async function claimMails(
  db: Db,
  options: {
    batchSizeMax: number;
    leaseSeconds: number;
    /** Whether the previous claim was full: then this one does not check first. */
    isMoreKnown?: boolean;
  },
): Promise<ClaimedMail[]> {
  const isDue = sql`status = 'PENDING' and next_attempt_at <= now()
    and ${isNotRelocating('platform_id')}`;
  const dueFirst = sql<{ platform_id: number }>`
    select platform_id from (
      select platform_id, next_attempt_at from mails where ${isDue}
      order by next_attempt_at limit ${options.batchSizeMax}
    ) due
    group by platform_id order by min(next_attempt_at)`;
  // Takes a tenth of the time of a claim, and most commits queue no mail. On a cluster, the claim itself checks first.
  const anyDue = sql`select platform_id from mails where ${isDue} order by next_attempt_at limit 1`;
  const isCheckedFirst = !isCluster(db) && !options.isMoreKnown;
  if (isCheckedFirst && (await anyDue.execute(db)).rows.length === 0) return [];
  let left = options.batchSizeMax;
  return onAllPlatforms(db, dueFirst, async ({ isWithin }) => {
    if (left === 0) return [];
    const { rows } = await sql<ClaimedMail>`
      with due as materialized (
        select platform_id, mail_id from mails
        where ${isWithin()} and ${isDue}
        order by next_attempt_at limit (select ${left}::int)
        for update skip locked
      ), claimed as (
        update mails m set next_attempt_at = now() + make_interval(secs => ${options.leaseSeconds})
        -- Without statistics, a join might read all mails of the platform. The arrays leave only the primary key.
        where ${isWithin('m.platform_id')} and m.platform_id = any(array(select platform_id from due))
          and m.mail_id = any(array(select mail_id from due))
          and row(m.platform_id, m.mail_id) = any(array(select row(platform_id, mail_id) from due))
        returning m.*
      ), undurable as materialized (
        select set_config('synchronous_commit', 'off', true)
      )
      select c.platform_id, p.code as platform_code, p.data_key_wrapped, c.mail_id, c.kind, c.buyer_external_id, c.created_at,
        c.content_sealed, c.attempts, extract(epoch from now() - c.waiting_since)::float8 as age_seconds
      from claimed c join platforms p on p.platform_id = c.platform_id cross join undurable
      ${preparedIfPossible(db)}`.execute(db);
    left -= rows.length;
    return rows;
  });
}

export interface MailKey {
  platformId: number;
  mailId: string;
}

/**
 * The mails of a platform that a worker may be sending: those whose claim has not ended. A mail whose next attempt is due within the time
 * of a lease looks the same.
 */
export async function listMailsUnderWay(db: Db, platformId: number): Promise<string[]> {
  const { rows } = await sql<{ mail_id: string }>`
    select mail_id from mails
    where platform_id = ${platformId} and status = 'PENDING' and next_attempt_at > now()
      and next_attempt_at <= now() + make_interval(secs => ${MAIL_LEASE_SECONDS})`.execute(db);
  return rows.map(({ mail_id }) => mail_id);
}

/** Sets the next attempt of claimed mails to `seconds` from now: renews the claim or, with 0, returns it. */
export async function postponeMails(db: Db, keys: MailKey[], seconds: number): Promise<void> {
  const found = keys.map((key) => ({ ...key, platform_id: key.platformId }));
  await onEachPlatform(found, async (platformId, ofPlatform) => {
    const { rows } = await sql`
      update mails set next_attempt_at = now() + make_interval(secs => ${seconds})
      where platform_id = ${platformId} and mail_id = any(array(
        select mail_id from mails
        where platform_id = ${platformId} and mail_id = any(${ofPlatform.map((key) => key.mailId)}::uuid[]) and status = 'PENDING'
        for update skip locked
      ))
      ${unprepared}`.execute(db);
    return rows;
  });
}

export interface MailResult extends MailKey {
  /** From 1. */
  attempt: number;
  /** The new status, by the lifecycle. */
  status: MailStatus;
  failure: string | null;
  /** Unix seconds; null if it was not sent. */
  sentAt: number | null;
  /** Seconds until the next attempt; null without one. */
  delaySeconds: number | null;
  /** The mail server's reply when it accepted a notice. */
  replySealed: Buffer | null;
  /** The recipient's address, if the mail server has accepted it or permanently refused it. */
  addressMac: Buffer | null;
}

const unnestResults = unnestRows<MailResult>('r', {
  mail_id: ['uuid', 'mailId'],
  attempt: ['int', 'attempt'],
  status: ['text', 'status'],
  failure: ['text', 'failure'],
  sent_at: ['bigint', 'sentAt'],
  delay_seconds: ['float8', 'delaySeconds'],
  reply_sealed: ['bytea', 'replySealed'],
  address_mac: ['bytea', 'addressMac'],
});

/**
 * The column of the result of the mail `m`. A join would let PostgreSQL read all mails of the platform while it has no statistics, and a
 * cluster mixes up the columns of an assignment of several.
 */
const resultOf = (column: string) =>
  sql`(select r.${sql.ref(column)} from results r where r.mail_id = m.mail_id)`;

async function finishMails(db: Db, results: MailResult[]): Promise<boolean[]> {
  const platformId = results[0]?.platformId ?? 0;
  const mailIds = results.map(({ mailId }) => mailId);
  const { rows } = await sql<{ mail_id: string }>`
    with results as (
      select *, now() + make_interval(secs => delay_seconds) as next_attempt_at from ${unnestResults(results)}
    ), locked as materialized (
      -- Locks in the order in which mails are withdrawn.
      select mail_id from mails
      where platform_id = ${platformId} and mail_id = any(${arrayOf('uuid', mailIds)})
      order by mail_id for update
    ), updated as (
      update mails m set status = ${resultOf('status')}, attempts = ${resultOf('attempt')}, failure = ${resultOf('failure')},
        sent_at = ${resultOf('sent_at')}, next_attempt_at = coalesce(${resultOf('next_attempt_at')}, m.next_attempt_at)
      where m.platform_id = ${platformId} and m.mail_id = any(array(select mail_id from locked))
        and exists (
          select from results r where r.mail_id = m.mail_id and m.attempts = r.attempt - 1
            and (m.status = 'PENDING' or m.status = 'WITHDRAWN' and r.status = 'SENT')
          offset 0
        )
      returning m.mail_id
    ), finished as (
      select r.* from updated u join results r on r.mail_id = u.mail_id
    ), handed_over as (
      insert into notice_handovers (platform_id, notice_id, handed_over_at, reply_sealed)
      select ${platformId}::int, n.notice_id, f.sent_at, f.reply_sealed
      from (
        select notice_id from notices
        where platform_id = ${platformId} and notice_id = any(array(select mail_id from finished where sent_at is not null)) offset 0
      ) n join finished f on f.mail_id = n.notice_id
      on conflict do nothing
    ), refused as (
      insert into refused_addresses (platform_id, address_mac)
      select ${platformId}::int, address_mac
      from (select distinct address_mac from finished where address_mac is not null and sent_at is null) f
      order by address_mac
      on conflict do nothing
    ), accepted as (
      delete from refused_addresses
      where platform_id = ${platformId} and address_mac = any(array(select address_mac from finished where sent_at is not null))
    )
    select mail_id from updated
    ${preparedIfPossible(db)}`.execute(db);
  const finished = new Set(rows.map((row) => row.mail_id));
  return results.map((result) => finished.has(result.mailId));
}

/**
 * Saves the result of an attempt, the proof that a notice was handed over, and whether the address is refused. Returns false for a
 * mail whose attempt another process has finished, and for one that was withdrawn and did not arrive. One statement finishes the mails
 * of a platform that are sent at the same time.
 */
export const finishMail = gathered(finishMails, { ...byPlatform, waitMs: FINISH_WAIT_MS });
