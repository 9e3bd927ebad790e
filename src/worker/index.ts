/** Background work: due transitions, numbering of events and ledger entries, webhooks, mails, buyer refresh, pruning. */

import { type Db, isDatabaseAway } from '#infra/database/database';
import { positionEvents } from '#infra/database/outbox.queries';
import type { FileStore } from '#infra/files/file-store';
import type { Log } from '#infra/log';
import type { OutboundHttp } from '#infra/outbound/http';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import type { GiveWay } from '#infra/time/give-way';
import { createPacer } from '#infra/time/pacer';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { type SharedCalls, shareCalls } from '#infra/time/share-calls';
import { startSpreadTimers } from '#infra/time/spread-timers';
import { prunePageAccess, prunePageFiles } from '#modules/buyer-page';
import { refreshBuyers } from '#modules/buyers';
import { answerReviews, inviteBuyers, pruneCheckouts, pruneEndedLinks } from '#modules/checkout';
import { freezeDissolved } from '#modules/facilities';
import { numberEntries } from '#modules/ledger';
import { notifyOfEvents, pruneMails, pruneNotices } from '#modules/notifications';
import { createSweeper, type ScheduleDeps } from '#modules/schedule';
import { queueMonthlyStatements } from '#modules/statements';
import { pruneApplications } from '#modules/underwriting';
import {
  endExpiredLeases,
  finishAbandonedDeliveries,
  pruneEvents,
  recoverDeliveries,
  releaseHeldDeliveries,
} from '#modules/webhooks';
import { pruneStoredAnswers } from '#operation/idempotency.queries';
import { foldListCounts } from '#operation/list-counts.queries';
import { createDispatcher } from './dispatcher.ts';
import { createMailer, type MailerOptions } from './mailer.ts';
import { NOTIFIERS } from './notifiers.ts';
import { queueSupportMails } from './support-mails.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

const POLL_MS = 250;
/** Commits within this time share one query for due deliveries, which is cheap if there are none. */
const SHARED_LOOK_MS = 8;
/**
 * Commits within this time share one turn of all work that follows commits: at 500 commits/s, a turn after each took a tenth of the
 * processor.
 */
const SHARED_POLL_MS = 50;
/** Registry data changes with imports and live lookups. */
const REFRESH_MS = 1_000;
/** Transitions fall due at whole seconds. */
const SWEEP_MS = 1_000;
/** Buyers check their mailbox right after the page has shown the outcome. */
const MAIL_OUTCOMES_MS = 500;
/** Mails can wait: while requests arrive, they take a quarter of the time. With all of it, half as many invoices were created. */
const MAIL_RESTS = 3;
/** Support reacts within hours, and statements are monthly. */
const REPORT_MS = 5_000;
/** No caller waits for the number of an entry, and few large batches cost less than many small ones. */
const NUMBER_MS = 1_000;
/** Each page of a list sums the changes that are not folded yet. */
const FOLD_MS = 1_000;
const RECOVER_MS = 250;
/** 800 a second: recovered deliveries leave the processor and the database to live ones. */
const RECOVERED_MAX = 200;
/** A step that finds nothing to deliver costs as much as this many deliveries. */
const STEP_COST = 10;
/** The limit of each statement. */
const COUNT_CHANGES_AT_ONCE_MAX = 500;
const TIDY_MS = 60_000;
/** Pruning lists the whole folder. */
const PRUNE_FILES_MS = 3_600_000;
const BATCH_SIZE = 1_000;
const COMPANIES_AT_ONCE_MAX = 500;
const INVITATIONS_AT_ONCE_MAX = 100;
const ANSWERS_AT_ONCE_MAX = 100;
const IDLE_MAX_MS = 60_000;

export interface Worker {
  /** Call it after every commit, because there may be work. Cheap. */
  wake(): void;
  /** False if work that runs every second has not completed for a minute, because it hangs or always fails. */
  isWorking(): boolean;
  stop(): Promise<void>;
}

export interface WorkerOptions {
  db: Db;
  clock: Clock;
  clocks: PlatformClocks;
  outbound: OutboundHttp;
  vault: Vault;
  files: FileStore;
  log: Log;
  metrics: WorkerMetrics;
  /** Whether this process has received requests recently. */
  isServing(): boolean;
  giveWay: GiveWay;
  /** The dependencies of due transitions. */
  deps: ScheduleDeps;
  eventsKeptDays: number;
  noticesKeptYears: number;
  /** The mail server; null if mails wait for one to be configured. */
  mail: Pick<MailerOptions, 'smtp' | 'host'> | null;
  /** The service's base URL without a trailing slash; empty until it listens. */
  baseUrl(): string;
}

export function startWorker(options: WorkerOptions): Worker {
  const { db, clock } = options;
  const loop = (work: string, turn: () => Promise<unknown>) => createLoop(work, turn, options);
  const dispatcher = createDispatcher({ ...options, onSlotFree: () => dispatching.wake() });
  const dispatching = loop('dispatching', () => dispatcher.dispatch());
  const mailer =
    options.mail && createMailer({ ...options, ...options.mail, onSlotFree: () => mailing.wake() });
  const mailing = loop('mailing', async () => mailer?.dispatch());
  const stopping = new AbortController();
  const writing = (work: string, queueMails: () => Promise<number>) =>
    loop(work, async () => (await queueMails()) > 0 && mailing.wake());
  const telling = writing('telling', () => tellBuyers(options, stopping.signal));
  const reporting = writing('reporting', () => queueReports(options));
  const positioning = loop(
    'positioning',
    untilFewer(BATCH_SIZE, (max) => positionEvents(db, max)),
  );
  const numbering = loop('numbering', () => numberEntries(db, options.vault));
  const folding = loop(
    'folding',
    untilFewer(COUNT_CHANGES_AT_ONCE_MAX, (max) => foldListCounts(db, max)),
  );
  const recovering = loop('recovering', () => bringBackDeliveries(db, dispatching.wake));
  const refresh = (max: number) => refreshBuyers(db, clock.now(), max, freezeDissolved);
  const refreshing = loop('refreshing', untilFewer(COMPANIES_AT_ONCE_MAX, refresh));
  const sweeper = createSweeper({ ...options, onTransition: () => wake() });
  const sweeping = loop('sweeping', () => sweeper.sweep());
  const tidying = loop('tidying', () => tidyUp(options));
  const pruning = loop('pruning', async () => {
    await options.files.pruneFiles(db, clock.now());
  });
  const wake = () => {
    dispatching.wake();
    positioning.wake();
    mailing.wake();
  };
  const periodic: readonly (readonly [Loop, number])[] = [
    [recovering, RECOVER_MS],
    [refreshing, REFRESH_MS],
    [sweeping, SWEEP_MS],
    [numbering, NUMBER_MS],
    [folding, FOLD_MS],
    [telling, MAIL_OUTCOMES_MS],
    [reporting, REPORT_MS],
    [tidying, TIDY_MS],
    [pruning, PRUNE_FILES_MS],
  ];
  const timers = startSpreadTimers([[{ wake }, POLL_MS], ...periodic]);
  wake();
  sweeping.wake();
  pruning.wake();
  const committed = afterCommits(dispatching.wake, wake);
  return {
    wake: committed.call,
    isWorking: () =>
      [dispatching, positioning, numbering, sweeping].every(
        (each) => clock.elapsedMs() - each.doneMs() < IDLE_MAX_MS,
      ),
    async stop() {
      timers.stop();
      committed.stop();
      stopping.abort();
      sweeper.stop();
      const loops = [dispatching, mailing, positioning, ...periodic.map(([each]) => each)];
      await Promise.all(loops.map((each) => each.stop()));
      await Promise.all([dispatcher.stop(), mailer?.stop()]);
      options.mail?.smtp?.close();
    },
  };
}

/** Calls `deliver` soon after commits, and `wake` somewhat later: commits share both. */
function afterCommits(deliver: () => void, wake: () => void): SharedCalls {
  const looks = shareCalls(deliver, SHARED_LOOK_MS);
  const turns = shareCalls(wake, SHARED_POLL_MS);
  return {
    call() {
      looks.call();
      turns.call();
    },
    stop() {
      looks.stop();
      turns.stop();
    },
  };
}

/** Runs `step` in batches until one is not full. */
function untilFewer(batchSizeMax: number, step: (max: number) => Promise<number>): () => Promise<void> {
  return async () => {
    while ((await step(batchSizeMax)) === batchSizeMax);
  };
}

/** Makes deliveries due again that were missed, held, or claimed by a killed worker. */
async function bringBackDeliveries(db: Db, onDue: () => void): Promise<void> {
  const due = (await endExpiredLeases(db)) + (await releaseHeldDeliveries(db));
  if (due > 0) onDue();
  for (let left = RECOVERED_MAX; left > 0; ) {
    const made = await recoverDeliveries(db, 1);
    if (made === null) return;
    left -= Math.max(made, STEP_COST);
  }
}

/** Notifies buyers of the outcome of their applications and reviews. Returns the number of queued mails about outcomes. */
async function tellBuyers(options: WorkerOptions, signal: AbortSignal): Promise<number> {
  const pacer = createPacer({ ...options, restsPerWork: MAIL_RESTS });
  const queued = await notifyOfEvents(options, NOTIFIERS, { pacer, signal });
  while ((await inviteBuyers(options, INVITATIONS_AT_ONCE_MAX)) === INVITATIONS_AT_ONCE_MAX);
  while ((await answerReviews(options, ANSWERS_AT_ONCE_MAX)) === ANSWERS_AT_ONCE_MAX);
  return queued;
}

/** Queues reports to support and, each month, statements to buyers. Returns the number of queued mails. */
async function queueReports(options: WorkerOptions): Promise<number> {
  return (await queueSupportMails(options)) + (await queueMonthlyStatements(options));
}

/** Work that a process of the previous version left comes first. */
async function tidyUp(options: WorkerOptions): Promise<void> {
  await notifyOfEvents(options, NOTIFIERS, { isThorough: true });
  await pruneAll(options);
}

/** Ends abandoned resources, and deletes data whose retention is over. */
async function pruneAll({ db, clock, eventsKeptDays, noticesKeptYears }: WorkerOptions): Promise<void> {
  while ((await finishAbandonedDeliveries(db, BATCH_SIZE)) === BATCH_SIZE);
  await pruneEvents(db, { keptDays: eventsKeptDays, batchSizeMax: BATCH_SIZE });
  while ((await pruneStoredAnswers(db)) === BATCH_SIZE);
  while ((await pruneMails(db, BATCH_SIZE)) === BATCH_SIZE);
  while ((await pruneNotices(db, { keptYears: noticesKeptYears, batchSizeMax: BATCH_SIZE })) === BATCH_SIZE);
  while ((await pruneApplications(db, clock.now(), BATCH_SIZE)) === BATCH_SIZE);
  while ((await pruneEndedLinks(db, clock.now(), BATCH_SIZE)) === BATCH_SIZE);
  while ((await pruneCheckouts(db, clock.now(), BATCH_SIZE)) >= BATCH_SIZE);
  while ((await prunePageAccess(db, clock.now(), BATCH_SIZE)) >= BATCH_SIZE);
  while ((await prunePageFiles(db, clock.now(), BATCH_SIZE)) === BATCH_SIZE);
}

interface Loop {
  wake(): void;
  /** When the last successful turn ended; before the first one, when the loop was created. */
  doneMs(): number;
  stop(): Promise<void>;
}

/**
 * Runs `turn` of `work` on wake(), never twice at the same time. A wake() during a turn runs another one after it, and so does a turn that
 * returns true.
 */
function createLoop(
  work: string,
  turn: () => Promise<unknown>,
  { log, clock, metrics }: Pick<WorkerOptions, 'log' | 'clock' | 'metrics'>,
): Loop {
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let doneMs = clock.elapsedMs();
  const run = async () => {
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        if ((await metrics.turn(work, turn)) === true) isWoken = true;
        doneMs = clock.elapsedMs();
      } catch (error) {
        // The next poll tries again. An unavailable database is reported elsewhere.
        if (!isDatabaseAway(error)) log.error({ err: error as Error }, 'background work failed');
      }
    }
    running = null;
  };
  return {
    wake() {
      isWoken = true;
      if (!running && !isStopped) running = run();
    },
    doneMs: () => doneMs,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
