import { setTimeout as sleep } from 'node:timers/promises';
import { randomShare } from '#kernel/backoff';
import { type Db, isRetryable } from './database.ts';

const ATTEMPTS_MAX = 5;
const FIRST_PAUSE_MS = 5;

/** Thrown by the work of a transaction that must run again from its start, as after a serialization failure. */
export class RunAgain extends Error {
  readonly code = '40001';
}

/**
 * Runs `work` in one transaction and commits it. After a deadlock or serialization failure, runs it again, up to five
 * times with growing jittered pauses: `work` must affect nothing but the database.
 */
export function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return withRetries(() => db.transaction().execute(work));
}

/** Retries work that is already a transaction, such as a single statement, under the conditions of `inTransaction`. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * randomShare());
    }
  }
}

/** Runs `work` on one state of the database: in the transaction `db`, or otherwise in a new snapshot, with retries like `inTransaction`. */
export async function inSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db);
  return withRetries(() => db.transaction().setIsolationLevel('repeatable read').execute(work));
}
