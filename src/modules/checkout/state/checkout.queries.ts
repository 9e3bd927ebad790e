/** How far checkouts have come, which browsers may see it, and what was consented to. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import type { CheckoutConsents, CheckoutSessions, Checkouts } from '#infra/database/schema';
import { unnestRows } from '#infra/database/unnest-rows';

export type CheckoutRow = Selectable<Checkouts>;
export type SessionRow = Selectable<CheckoutSessions>;

export interface CheckoutKey {
  platformId: number;
  orderExternalId: string;
}

/**
 * The first lock of all that a checkout does: before the case, the facility and the order. Whether the link is good still
 * is for whoever reads under it to see.
 */
export async function lockCheckout(db: Db, tokenSha256: Buffer): Promise<CheckoutRow | undefined> {
  const { rows } = await sql<CheckoutRow>`
    select c.* from checkout_links l
    join checkouts c on c.platform_id = l.platform_id and c.order_external_id = l.order_external_id
    where l.token_sha256 = ${tokenSha256}
    for no key update of c`.execute(db);
  return rows[0];
}

/** What changes of a checkout that is locked. A new version is for what forms are made from. */
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

export interface Entered extends CheckoutKey {
  /** Nothing is kept where it is another one by now. */
  fromVersion: number;
  /** Unix seconds. */
  at: number;
  progressSealed: Buffer;
}

const unnestEntries = unnestRows<Entered>(
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

/** Keeps what was entered as a new version. Answers, in the order of the items, whether it was. */
export async function saveAllEntries(db: Db, saveOptimistically: Entered[]): Promise<boolean[]> {
  const { rows } = await sql<{ nth: number }>`
    update checkouts c set version = c.version + 1, updated_at = n.at, progress_sealed = n.progress_sealed
    from ${unnestEntries(saveOptimistically)}
    where c.platform_id = n.platform_id and c.order_external_id = n.order_external_id and c.version = n.from_version
    returning n.nth::int as nth`.execute(db);
  const kept = new Set(rows.map((row) => row.nth));
  return saveOptimistically.map((_, index) => kept.has(index + 1));
}

/** Two of one checkout never share a statement: the second one finds another version. */
export const saveEntries = gathered(saveAllEntries, {
  keysOf: ({ platformId, orderExternalId }) => [`${platformId}/${orderExternalId}`],
});

/** A browser's first visit, in one statement; the very first one begins the checkout. `now` in unix seconds. */
export async function insertSession(
  db: Db,
  { platformId, orderExternalId }: CheckoutKey,
  sessionSha256: Buffer,
  now: number,
): Promise<void> {
  await sql`
    with begun as (
      insert into checkouts (platform_id, order_external_id, created_at, updated_at)
      values (${platformId}, ${orderExternalId}, ${now}, ${now}) on conflict do nothing
    )
    insert into checkout_sessions (platform_id, order_external_id, session_sha256, created_at)
    values (${platformId}, ${orderExternalId}, ${sessionSha256}, ${now}) on conflict do nothing`.execute(db);
}

/** From here on the browser may see what is on file of the buyer. `now` in unix seconds. */
export async function verifySession(
  db: Db,
  { platformId, orderExternalId }: CheckoutKey,
  sessionSha256: Buffer,
  now: number,
): Promise<void> {
  await db
    .updateTable('checkout_sessions')
    .set({ verified_at: now })
    .where('platform_id', '=', platformId)
    .where('order_external_id', '=', orderExternalId)
    .where('session_sha256', '=', sessionSha256)
    .execute();
}

export async function insertConsent(db: Db, consent: Insertable<CheckoutConsents>): Promise<void> {
  await db.insertInto('checkout_consents').values(consent).execute();
}
