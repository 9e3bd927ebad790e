import type { Db } from '#infra/database/database';
import { DAY_SECONDS } from '#kernel/day';
import { pruneProgress, pruneSessions } from './prune.queries.ts';

/** As long as links are kept after their end: a buyer who comes back later begins anew. */
const RETENTION_SECONDS = 30 * DAY_SECONDS;

/** Forgets a batch of what was entered, and of sessions, a month after the last change; answers the larger count. */
export async function pruneCheckouts(db: Db, realNow: number, limit: number): Promise<number> {
  const request = { realNow, retentionSeconds: RETENTION_SECONDS, limit };
  return Math.max(await pruneProgress(db, request), await pruneSessions(db, request));
}
