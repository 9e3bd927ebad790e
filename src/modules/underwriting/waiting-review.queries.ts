/** Reviews that have waited for a person for too long. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { onEachPlatform } from '#infra/database/each-platform';
import type { ReviewRow } from './review.queries.ts';

const unprepared = sql.raw(UNPREPARED);

/**
 * Marks reviews of all platforms that have waited for a person for `waitingSeconds` as reported to support, at most
 * `batchSizeMax`, and returns them by platform, the oldest first. Skips platforms that relocate, whose new cell reports them, and
 * reviews that a sandbox script decides.
 * @param now Real unix seconds; each platform's clock may be ahead.
 */
export async function takeWaitingReviews(
  db: Db,
  now: number,
  waitingSeconds: number,
  batchSizeMax: number,
): Promise<ReviewRow[]> {
  const { rows: due } = await sql<Pick<ReviewRow, 'platform_id' | 'review_id'>>`
    select r.platform_id, r.review_id from credit_reviews r
    join platforms p on p.platform_id = r.platform_id
    where r.status in ('OPEN', 'AWAITING_APPROVAL') and not r.is_support_notified and r.scripted_outcome is null
      and r.opened_at < ${now - waitingSeconds} + p.clock_ahead_seconds and p.relocating_since is null
    order by r.opened_at, r.platform_id, r.review_id limit ${batchSizeMax}
    ${unprepared}`.execute(db);
  return onEachPlatform(due, async (platformId, reviews) => {
    const { rows } = await sql<ReviewRow>`
      with taken as materialized (
        select review_id from credit_reviews
        where platform_id = ${platformId} and review_id = any(${reviews.map((each) => each.review_id)}::uuid[])
          and not is_support_notified
        for update skip locked
      )
      update credit_reviews r set is_support_notified = true
      from taken where r.platform_id = ${platformId} and r.review_id = taken.review_id
      returning r.*
      ${unprepared}`.execute(db);
    return rows.sort((one, other) => one.opened_at - other.opened_at);
  });
}
