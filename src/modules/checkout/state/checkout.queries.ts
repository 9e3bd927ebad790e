/** Checkouts with their progress, the sessions of browsers, and consents. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import { pastRows } from '#infra/time/past-rows.queries';
import { DAY_SECONDS } from '#kernel/day';
import type { Language } from '#kernel/language';
import type { LinkKey } from '../links/link.queries.ts';

export const checkoutsTable = table('checkouts', {
  platform_id: 'int',
  order_external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  language: text<Language | null>(),
  progress_sealed: 'bytea',
  credit_requested_at: 'bigint',
  credit_decision_id: 'uuid',
});

export const sessionsTable = table('checkout_sessions', {
  platform_id: 'int',
  order_external_id: 'text',
  session_sha256: 'bytea',
  created_at: 'bigint',
  verified_at: 'bigint',
  confirmed_email_mac: 'bytea',
});

const consentsTable = table('checkout_consents', {
  platform_id: 'int',
  order_external_id: 'text',
  consented_at: 'bigint',
  terms_version: 'text',
  language: 'text',
  formality: 'text',
  terms_sha256: 'bytea',
  payment_term: 'text',
});

export type CheckoutRow = RowOf<typeof checkoutsTable>;
export type SessionRow = RowOf<typeof sessionsTable>;

export interface CheckoutKey {
  platformId: number;
  orderExternalId: string;
}

/**
 * Locks the checkout of a link. Locks are taken in this order: checkout, review, facility, order. The link itself may have
 * expired: callers check it in the rows that they read under the lock.
 */
export async function lockCheckout(
  db: Db,
  { platformId, tokenSha256 }: LinkKey,
): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select c.* from checkout_links l
    join checkouts c on c.platform_id = l.platform_id and c.order_external_id = l.order_external_id
    where l.platform_id = ${platformId} and l.token_sha256 = ${tokenSha256}
    for no key update of c`.execute(db);
  return rows[0];
}

/** Updates a checkout that the caller has locked, or locks it. Pass a new version with every change that pages show. */
export async function updateCheckout(
  db: Db,
  { platformId, orderExternalId }: CheckoutKey,
  changes: Partial<Omit<CheckoutRow, 'platform_id' | 'order_external_id' | 'created_at'>>,
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set(changes)
    .where('platform_id', '=', platformId)
    .where('order_external_id', '=', orderExternalId)
    .execute();
}

export interface ProgressUpdate extends CheckoutKey {
  /** The expected version. If the current one differs, nothing is saved. */
  fromVersion: number;
  /** Unix seconds. */
  at: number;
  progressSealed: Buffer;
}

const unnestUpdates = unnestRows<ProgressUpdate>(
  'n',
  {
    platform_id: ['int', 'platformId'],
    order_external_id: ['text', 'orderExternalId'],
    from_version: ['int', 'fromVersion'],
    at: ['bigint', 'at'],
    progress_sealed: ['bytea', 'progressSealed'],
  },
  { withNth: true },
);

/** Saves progress as a new version. Returns in the order of the items whether each was saved. */
export async function saveAllProgress(db: Db, updates: ProgressUpdate[]): Promise<boolean[]> {
  const { rows } = await sql<{ nth: number }>`
    update checkouts c set version = c.version + 1, updated_at = n.at, progress_sealed = n.progress_sealed
    from ${unnestUpdates(updates)}
    where c.platform_id = n.platform_id and c.order_external_id = n.order_external_id and c.version = n.from_version
    returning n.nth::int as nth`.execute(db);
  const saved = new Set(rows.map((row) => row.nth));
  return updates.map((_, index) => saved.has(index + 1));
}

/** Gathers concurrent updates into one statement, except those of one checkout: the second must see the first one's version. */
export const saveProgressAtVersion = gathered(saveAllProgress, {
  groupOf: ({ platformId }) => platformId,
  keysOf: ({ orderExternalId }) => [orderExternalId],
});

/** Whether credit was requested in this checkout by now. */
export async function isCreditRequested(
  db: Db,
  { platformId, orderExternalId }: CheckoutKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('credit_requested_at')
    .where('platform_id', '=', platformId)
    .where('order_external_id', '=', orderExternalId)
    .executeTakeFirst();
  return row?.credit_requested_at != null;
}

/** A checkout before its first visit. `now` in unix seconds. */
export function newCheckout(
  { platformId, orderExternalId }: CheckoutKey,
  now: number,
  language: Language | null,
): CheckoutRow {
  return {
    platform_id: platformId,
    order_external_id: orderExternalId,
    version: 1,
    created_at: now,
    updated_at: now,
    language,
    progress_sealed: null,
    credit_requested_at: null,
    credit_decision_id: null,
  };
}

/** Adds a session, and creates the checkout on its first visit, in one statement. `now` in unix seconds. */
export async function insertSession(
  db: Db,
  { platform_id: platformId, order_external_id: orderExternalId, language }: CheckoutRow,
  sessionSha256: Buffer,
  now: number,
): Promise<void> {
  await sql`
    with created as (
      insert into checkouts (platform_id, order_external_id, created_at, updated_at, language)
      values (${platformId}, ${orderExternalId}, ${now}, ${now}, ${language}) on conflict do nothing
    )
    insert into checkout_sessions (platform_id, order_external_id, session_sha256, created_at)
    values (${platformId}, ${orderExternalId}, ${sessionSha256}, ${now}) on conflict do nothing`.execute(db);
}

export async function insertConsent(db: Db, consent: NewRowOf<typeof consentsTable>): Promise<void> {
  await db.insertInto('checkout_consents').values(consentsTable.insertable(consent)).execute();
}

/** As long as for expired links: a buyer who returns later starts again. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;

/**
 * Deletes progress 30 days after its last change and sessions 30 days after their first visit, on all platforms, at most
 * `limit` of each. Returns the larger count.
 */
export async function pruneCheckouts(db: Db, realNow: number, limit: number): Promise<number> {
  const request = { realNow, retentionSeconds: RETENTION_SECONDS, limit };
  return Math.max(await pruneProgress(db, request), await pruneSessions(db, request));
}

interface PruneRequest {
  /** Unix seconds of the real clock; a platform's clock may be ahead. */
  realNow: number;
  retentionSeconds: number;
  limit: number;
}

/** The new version makes pages that are still open stale. */
async function pruneProgress(db: Db, { realNow, retentionSeconds, limit }: PruneRequest): Promise<number> {
  const { numAffectedRows } = await sql`
    update checkouts set progress_sealed = null, version = version + 1
    where (platform_id, order_external_id) in (${pastRows(LEFT_PROGRESS, realNow - retentionSeconds, limit)})
      and progress_sealed is not null`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const LEFT_PROGRESS = {
  table: 'checkouts',
  key: ['platform_id', 'order_external_id'],
  at: sql<number>`t.updated_at`,
  condition: sql`t.progress_sealed is not null`,
} as const;

/** Counted from the first visit: the links of such sessions have expired. */
async function pruneSessions(db: Db, { realNow, retentionSeconds, limit }: PruneRequest): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from checkout_sessions where (platform_id, order_external_id, session_sha256) in (
      ${pastRows(PAST_SESSIONS, realNow - retentionSeconds, limit)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const PAST_SESSIONS = {
  table: 'checkout_sessions',
  key: ['platform_id', 'order_external_id', 'session_sha256'],
  at: sql<number>`t.created_at`,
} as const;
