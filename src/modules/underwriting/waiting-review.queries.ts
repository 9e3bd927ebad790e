/** Reviews that have waited for a person for too long. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { ReviewRow } from './review.queries.ts';

const unprepared = sql.raw(UNPREPARED);

/**
 * Marks reviews of all platforms that have waited for a person for `waitingSeconds` as reported to support, at most
 * `batchSizeMax`, and returns them by platform, the oldest first. A sandbox script decides its reviews itself.
 * @param now Real unix seconds; each platform's clock may be ahead.
 */
export async function takeWaitingReviews(
  db: Db,
  now: number,
  waitingSeconds: number,
  batchSizeMax: number,
): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    with due as materialized (
      select r.platform_id, r.review_id from credit_reviews r
      join platforms p on p.platform_id = r.platform_id
      where r.status in ('OPEN', 'AWAITING_APPROVAL') and not r.is_support_notified and r.scripted_outcome is null
        and r.opened_at < ${now - waitingSeconds} + p.clock_ahead_seconds
      order by r.opened_at, r.platform_id, r.review_id limit ${batchSizeMax}
      for update of r skip locked
    )
    update credit_reviews r set is_support_notified = true
    from due where r.platform_id = due.platform_id and r.review_id = due.review_id
    returning r.*
    ${unprepared}`.execute(db);
  return rows.sort((one, other) => one.platform_id - other.platform_id || one.opened_at - other.opened_at);
}
