import type { Db } from '#infra/database';
import { DAY_SECONDS } from '#kernel/day';
import { forgetProgress, forgetSessions } from './forgetting.queries.ts';

/** As long as links are kept after their end: a buyer who comes back later begins anew. */
const KEPT_SECONDS = 30 * DAY_SECONDS;

/** Forgets a batch of what was entered, and of sessions, a month after the last change; answers the larger count. */
export async function forgetOldCheckouts(db: Db, realNow: number, limit: number): Promise<number> {
  const wish = { realNow, keptSeconds: KEPT_SECONDS, limit };
  return Math.max(await forgetProgress(db, wish), await forgetSessions(db, wish));
}
