import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

export interface StoredAnswer {
  fingerprint: Buffer;
  status_code: number;
  location: string | null;
  etag: string | null;
  body_sealed: Buffer;
  /** Something still follows the work that this answers, and a call with this key is at it. */
  finishing: 'DONE' | 'UNDER_WAY' | 'LEFT_BEHIND';
}

/** How long a call that died keeps others with its key from finishing what it began; longer than what follows may last. */
const FINISHING_SECONDS = 60;

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

/** The caller goes on with what another call left behind. */
export async function takeOverFinishing(db: Db, platformId: number, key: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ finishing_until: finishingUntil as never })
    .where('platform_id', '=', platformId)
    .where('idempotency_key', '=', key)
    .execute();
}

/** The answer as it is when everything is done. */
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

/** Of all platforms: answers older than three days are forgotten, in batches small enough not to be felt. */
export async function pruneStoredAnswers(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (platform_id, idempotency_key) in (
      select platform_id, idempotency_key from idempotency_keys
      where created_at < now() - interval '72 hours' limit 1000)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
