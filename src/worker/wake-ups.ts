/** How commits wake the background work: that of this process, or by a notice that of others. */
import type { Db } from '#infra/database/database';
import { isDatabaseAway } from '#infra/database/database';
import { type CommitListener, notifyOfCommit } from '#infra/database/wake-ups.queries';
import type { Log } from '#infra/log';
import { shareCalls } from '#infra/time/share-calls';
import type { Worker } from './index.ts';

/** Commits within this time share one notice. */
const SHARED_NOTICE_MS = 8;

export interface WakeUps {
  /** Call it after every commit. Cheap. */
  committed(): void;
  close(): Promise<void>;
}

export interface WakeUpOptions {
  db: Db;
  log: Log;
  /** Calls back at the commits of other processes. */
  listen(onCommit: () => void): CommitListener;
}

/** Without a worker of its own, the process tells those of others. */
export function startWakeUps(worker: Worker | null, { db, log, listen }: WakeUpOptions): WakeUps {
  if (worker) {
    const listener = listen(worker.wake);
    return { committed: worker.wake, close: listener.close };
  }
  const notify = () =>
    notifyOfCommit(db).catch((error) => {
      // The workers poll. An unavailable database is reported elsewhere.
      if (!isDatabaseAway(error)) log.warn({ err: error as Error }, 'workers not notified');
    });
  let last = Promise.resolve();
  const notices = shareCalls(() => {
    last = notify();
  }, SHARED_NOTICE_MS);
  const close = () => {
    notices.stop();
    return last;
  };
  return { committed: notices.call, close };
}
