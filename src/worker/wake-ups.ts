/** How commits wake the background work: that of this process, or through a notification that of others. */
import type { Db } from '#infra/database/database';
import { isDatabaseAway } from '#infra/database/database';
import { type CommitListener, notifyOfCommit } from '#infra/database/wake-ups.queries';
import type { Log } from '#infra/log';
import { shareCalls } from '#infra/time/share-calls';
import type { Worker } from './index.ts';

/** Commits within this time share one notification. */
const SHARED_NOTICE_MS = 8;

export interface WakeUps {
  /** Call it after every commit. Cheap. */
  committed(): void;
  close(): Promise<void>;
}

export interface WakeUpOptions {
  db: Db;
  log: Log;
  /** Calls `onCommit` when other processes commit. */
  listen(onCommit: () => void): CommitListener;
}

/** Wakes the worker of this process or, without one, notifies the workers of other processes. */
export function startWakeUps(worker: Worker | null, { db, log, listen }: WakeUpOptions): WakeUps {
  if (worker) {
    const listener = listen(worker.wake);
    return { committed: worker.wake, close: listener.close };
  }
  const notify = () =>
    notifyOfCommit(db).catch((error) => {
      // The workers poll anyway. An unavailable database is reported elsewhere.
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
