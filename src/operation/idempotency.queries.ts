import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface StoredAnswer {
  fingerprint: Buffer;
  status_code: number;
  location: string | null;
  etag: string | null;
  body_sealed: Buffer;
  /** UNDER_WAY while a call runs the operation's `finish`; LEFT_BEHIND if that call died. */
  finishing: 'DONE' | 'UNDER_WAY' | 'LEFT_BEHIND';
}

/** How long after a call has died no other call with its key may finish its work. Longer than any `finish` may take. */
const FINISHING_SECONDS = 60;

/** Claims the key until the transaction ends. False while another transaction holds it because the same request is running. */
export async function claimIdempotencyKey(db: Db, platformId: number, key: string): Promise<boolean> {
  const { rows } = await sql<{ is_claimed: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, ${platformId})) as is_claimed`.execute(db);
  return rows[0]?.is_claimed === true;
}

export async function findStoredAnswer(
  db: Db,
  platformId: number,
  key: string,
): Promise<StoredAnswer | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status_code', 'location', 'etag', 'body_sealed'])
    .select(
      sql<StoredAnswer['finishing']>`case when finishing_until is null then 'DONE'
        when finishing_until > now() then 'UNDER_WAY' else 'LEFT_BEHIND' end`.as('finishing'),
    )
    .where('platform_id', '=', platformId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

export async function storeAnswer(
  db: Db,
  platformId: number,
  key: string,
  { finishing, ...answer }: StoredAnswer,
): Promise<void> {
  await db
    .insertInto('idempotency_keys')
    .values({
      platform_id: platformId,
      idempotency_key: key,
      ...answer,
      finishing_until: finishing === 'DONE' ? null : (finishingUntil as never),
    })
    .execute();
}

const finishingUntil = sql`now() + make_interval(secs => ${FINISHING_SECONDS})`;

/** Lets this call finish what a dead call left behind. */
export async function takeOverFinishing(db: Db, platformId: number, key: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ finishing_until: finishingUntil as never })
    .where('platform_id', '=', platformId)
    .where('idempotency_key', '=', key)
    .execute();
}

/** Replaces the unfinished answer with the final one. */
export async function finishStoredAnswer(
  db: Db,
  platformId: number,
  key: string,
  bodySealed: Buffer,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ body_sealed: bodySealed, finishing_until: null })
    .where('platform_id', '=', platformId)
    .where('idempotency_key', '=', key)
    .execute();
}

/** Deletes up to 1,000 stored answers older than 72 hours, of all platforms. Returns their number. */
export async function pruneStoredAnswers(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (platform_id, idempotency_key) in (
      select platform_id, idempotency_key from idempotency_keys
      where created_at < now() - interval '72 hours' limit 1000)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
