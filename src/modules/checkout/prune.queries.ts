/** What was entered and then left: nobody needs it, and it concerns persons. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';

interface Forgetting {
  /** Unix seconds; each platform's own clock may be ahead. */
  realNow: number;
  retentionSeconds: number;
  limit: number;
}

/**
 * Of all platforms: what was entered in checkouts that nobody has touched for so long, at most `limit` of them. Whoever has
 * a page of it open still learns that it is gone.
 */
export async function pruneProgress(
  db: Db,
  { realNow, retentionSeconds, limit }: Forgetting,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update checkouts set progress_sealed = null, version = version + 1
    where (platform_id, order_external_id) in (
      select l.platform_id, l.order_external_id
      from platforms p cross join lateral (
        select platform_id, order_external_id from checkouts
        where platform_id = p.platform_id and progress_sealed is not null
          and updated_at < ${realNow}::bigint - ${retentionSeconds}::bigint + p.clock_ahead_seconds
        limit ${limit} for no key update skip locked
      ) l limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The same of sessions, counted from the first visit: the links that they came by are over long since. */
export async function pruneSessions(
  db: Db,
  { realNow, retentionSeconds, limit }: Forgetting,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from checkout_sessions where (platform_id, order_external_id, session_sha256) in (
      select l.platform_id, l.order_external_id, l.session_sha256
      from platforms p cross join lateral (
        select platform_id, order_external_id, session_sha256 from checkout_sessions
        where platform_id = p.platform_id
          and created_at < ${realNow}::bigint - ${retentionSeconds}::bigint + p.clock_ahead_seconds
        limit ${limit}
      ) l limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
