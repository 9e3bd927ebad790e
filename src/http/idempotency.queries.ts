import { sql } from 'kysely';
import type { Db } from '#infra/database';

export interface StoredAnswer {
  fingerprint: Buffer;
  status_code: number;
  location: string | null;
  etag: string | null;
  body_sealed: Buffer;
}

/** False while another transaction holds this key: the same request is still running. Held until the transaction ends. */
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
    .where('platform_id', '=', platformId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

export async function storeAnswer(
  db: Db,
  platformId: number,
  key: string,
  answer: StoredAnswer,
): Promise<void> {
  await db
    .insertInto('idempotency_keys')
    .values({ platform_id: platformId, idempotency_key: key, ...answer })
    .execute();
}

/** Of all platforms: answers older than three days are forgotten, in batches small enough not to be felt. */
export async function pruneStoredAnswers(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (platform_id, idempotency_key) in (
      select platform_id, idempotency_key from idempotency_keys
      where created_at < now() - interval '72 hours' limit 1000)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
