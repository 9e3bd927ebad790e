/** Access to the page of a buyer: the sessions of browsers, and the codes that open them. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table } from '#infra/database/table';
import { pastRows } from '#infra/time/past-rows.queries';
import { DAY_SECONDS } from '#kernel/day';
import type { BuyerKey } from '#modules/buyers';

const sessionsTable = table('buyer_page_sessions', {
  platform_id: 'int',
  buyer_external_id: 'text',
  session_sha256: 'bytea',
  created_at: 'bigint',
  verified_at: 'bigint',
  email_mac: 'bytea',
});

const codesTable = table('buyer_page_codes', {
  platform_id: 'int',
  buyer_external_id: 'text',
  code_number: 'int',
  code_mac: 'bytea',
  email_mac: 'bytea',
  sent_at: 'bigint',
  expires_at: 'bigint',
  attempts: 'int',
  used_at: 'bigint',
});

export type PageSessionRow = RowOf<typeof sessionsTable>;
export type PageCodeRow = RowOf<typeof codesTable>;

export async function findPageSession(
  db: Db,
  { platformId, externalId }: BuyerKey,
  sessionSha256: Buffer,
): Promise<PageSessionRow | undefined> {
  return db
    .selectFrom('buyer_page_sessions')
    .select(sessionsTable.columns)
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', externalId)
    .where('session_sha256', '=', sessionSha256)
    .executeTakeFirst();
}

export async function insertPageSession(
  db: Db,
  { platformId, externalId }: BuyerKey,
  sessionSha256: Buffer,
  now: number,
): Promise<void> {
  await sql`
    insert into buyer_page_sessions (platform_id, buyer_external_id, session_sha256, created_at)
    values (${platformId}, ${externalId}, ${sessionSha256}, ${now}) on conflict do nothing`.execute(db);
}

export async function deletePageSession(
  db: Db,
  { platformId, externalId }: BuyerKey,
  sessionSha256: Buffer,
): Promise<void> {
  await sql`
    delete from buyer_page_sessions
    where platform_id = ${platformId} and buyer_external_id = ${externalId}
      and session_sha256 = ${sessionSha256}`.execute(db);
}

/** The last code that was sent for the buyer. */
export async function findLastPageCode(
  db: Db,
  { platformId, externalId }: BuyerKey,
): Promise<PageCodeRow | undefined> {
  return db
    .selectFrom('buyer_page_codes')
    .select(codesTable.columns)
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', externalId)
    .orderBy('code_number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The number of codes sent after `since` (unix seconds). */
export async function countPageCodesSince(
  db: Db,
  { platformId, externalId }: BuyerKey,
  since: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('buyer_page_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', externalId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** False if another request sent this number at the same time. */
export async function insertPageCode(db: Db, code: NewRowOf<typeof codesTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('buyer_page_codes')
    .values(codesTable.insertable(code))
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Counts a wrong attempt. False if another attempt was counted since the code was read: the caller reads it again. */
export async function countPageAttempt(
  db: Db,
  { platform_id, buyer_external_id, code_number, attempts }: PageCodeRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('buyer_page_codes')
    .set({ attempts: attempts + 1 })
    .where('platform_id', '=', platform_id)
    .where('buyer_external_id', '=', buyer_external_id)
    .where('code_number', '=', code_number)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Uses the code and opens the session, in one statement. If another attempt was counted since the code was read, it returns false and
 * writes nothing: the caller reads the code again.
 */
export async function openPageSession(
  db: Db,
  { platform_id, buyer_external_id, code_number, attempts, email_mac }: PageCodeRow,
  sessionSha256: Buffer,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with used as (
      update buyer_page_codes set attempts = attempts + 1, used_at = ${now}
      where platform_id = ${platform_id} and buyer_external_id = ${buyer_external_id}
        and code_number = ${code_number} and attempts = ${attempts}
      returning buyer_external_id
    )
    update buyer_page_sessions s set verified_at = ${now}, email_mac = ${email_mac}
    from used u
    where s.platform_id = ${platform_id} and s.buyer_external_id = u.buyer_external_id
      and s.session_sha256 = ${sessionSha256}`.execute(db);
  return numAffectedRows === 1n;
}

/** Longer than any session or code is valid, and than the hour for which codes are counted. */
const KEPT_SECONDS = 7 * DAY_SECONDS;

/** Deletes sessions and codes of all platforms that are a week old by the platform's clock, at most `limit` of each. */
export async function prunePageAccess(db: Db, realNow: number, limit: number): Promise<number> {
  const sessions = await sql`
    delete from buyer_page_sessions where (platform_id, buyer_external_id, session_sha256) in (
      ${pastRows(PAST_SESSIONS, realNow - KEPT_SECONDS, limit)})`.execute(db);
  const codes = await sql`
    delete from buyer_page_codes where (platform_id, buyer_external_id, code_number) in (
      ${pastRows(PAST_CODES, realNow - KEPT_SECONDS, limit)})`.execute(db);
  return Math.max(Number(sessions.numAffectedRows ?? 0), Number(codes.numAffectedRows ?? 0));
}

const PAST_SESSIONS = {
  table: 'buyer_page_sessions',
  key: ['platform_id', 'buyer_external_id', 'session_sha256'],
  at: sql<number>`t.created_at`,
} as const;
const PAST_CODES = {
  table: 'buyer_page_codes',
  key: ['platform_id', 'buyer_external_id', 'code_number'],
  at: sql<number>`t.sent_at`,
} as const;
