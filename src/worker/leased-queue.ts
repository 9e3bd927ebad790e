/**
 * A queue in a table. Jobs are claimed under a short lease, worked on in memory and recorded. The lease is renewed while
 * a job runs; if the process dies, the lease expires and the job is due again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InFlight } from '#infra/in-flight';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import { traced } from '#infra/tracing';
import { claimRestMs } from './claim-rest.rules.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/** How long a stopping queue waits for running jobs before it aborts them. */
const STOP_GRACE_MS = 1_000;
/** The number of jobs started in one turn of the event loop, so that requests wait for few of them. */
const STARTED_AT_ONCE = 8;
/** Renewals per lease: a renewal may fail once before the lease expires. */
const RENEWALS_PER_LEASE = 3;

/** The jobs that a queue has claimed from its table. */
export interface ClaimedJobs<Job> {
  jobs: Job[];
  /** Whether to claim again immediately if a slot is free. */
  hasMore: boolean;
}

/** The table behind a queue, and the work. */
export interface JobSource<Job> {
  /** The name of the jobs in log lines, such as `webhook`. */
  name: string;
  /** The number of jobs that run at the same time in this process. */
  inFlightMax: number;
  /** How many of these slots the source reserves for special jobs. A claim does not wait for them to be free. 0 by default. */
  slotsKept?: number;
  leaseSeconds: number;
  /** How long a claim after a full one waits for more free slots, in milliseconds. */
  roomRestMsMax: number;
  /** Unique among the jobs of the source. */
  idOf(job: Job): string | number;
  /** The fields of a job in a log line, in addition to the error. */
  logFieldsOf(job: Job): object;
  /** Leases at most `batchSizeMax` due jobs. If `isMoreKnown`, the last claim left more to do, so that this one need not check first. */
  claim(batchSizeMax: number, leaseSeconds: number, isMoreKnown: boolean): Promise<ClaimedJobs<Job>>;
  /** Restarts the leases of running jobs. */
  renew(jobs: Job[], leaseSeconds: number): Promise<void>;
  /** Ends the leases, so that the jobs are due immediately. */
  release(jobs: Job[]): Promise<void>;
  /** Does one job and records its outcome, including when it is due again. Rejects if `signal` aborts it. */
  run(job: Job, signal: AbortSignal): Promise<void>;
}

export interface LeasedQueue {
  /** Claims and starts jobs until none is due or all slots are taken. Resolves after the last claim, not the last job. */
  dispatch(): Promise<void>;
  /** Claims nothing more, waits a second for running jobs, aborts the rest and releases their leases. */
  stop(): Promise<void>;
}

export interface LeasedQueueOptions {
  log: Log;
  clock: Clock;
  metrics: WorkerMetrics;
  /** Whether this process has received requests recently: then the queue leaves them turns of the event loop. */
  isServing(): boolean;
  /** Called after each job, unless the queue is stopping: there may be more to claim. */
  onSlotFree(): void;
}

interface Running<Job> {
  job: Job;
  /** Of its own: a signal keeps its former listeners alive while it has others. */
  abort: AbortController;
  /** Resolves when the job has ended. */
  done: Promise<void>;
}

export function createLeasedQueue<Job>(
  source: JobSource<Job>,
  { log, clock, metrics, isServing, onSlotFree }: LeasedQueueOptions,
): LeasedQueue {
  const { name, inFlightMax, leaseSeconds } = source;
  const running = new InFlight<Running<Job>>();
  let isStopping = false;

  const runningJobs = () => Array.from(running, ({ job }) => job);
  const renewal = setInterval(
    () => {
      if (running.size === 0) return;
      source
        .renew(runningJobs(), leaseSeconds)
        .catch((error) => log.warn({ err: error as Error }, `${name} leases not renewed`));
    },
    (leaseSeconds * 1_000) / RENEWALS_PER_LEASE,
  );

  const run = async (entry: Running<Job>): Promise<void> => {
    const { job, abort } = entry;
    try {
      await traced(`attempt ${name}`, () => source.run(job, abort.signal));
    } catch (error) {
      // The job stays in `running`, so that stop() releases its lease.
      if (abort.signal.aborted) return;
      // Nothing is lost: the lease expires and the job is due again.
      log.error({ err: error as Error, ...source.logFieldsOf(job) }, `${name} attempt not recorded`);
    }
    running.delete(entry);
    if (!isStopping) onSlotFree();
  };

  /** Returns the longest turn of the event loop in which jobs were started, in milliseconds. */
  const start = (jobs: Job[]): Promise<number> => {
    const runningIds = new Set(runningJobs().map(source.idOf));
    // If a lease expired while this process was suspended, a running job is claimed again: it must not run twice here.
    const started = jobs
      .filter((job) => !runningIds.has(source.idOf(job)))
      .map((job): Running<Job> => ({ job, abort: new AbortController(), done: Promise.resolve() }));
    for (const entry of started) running.add(entry);
    return startInTurns(started, clock, (entry) => {
      if (!isStopping) entry.done = run(entry);
    });
  };

  const slotsFree = () => inFlightMax - running.size;
  const rests = createRests(source, { slotsFree, isServing });
  return {
    async dispatch() {
      while (!isStopping && slotsFree() > 0) {
        await rests.beforeClaim();
        const claim = () => source.claim(slotsFree(), leaseSeconds, rests.isMoreKnown());
        const { jobs, hasMore } = await metrics.claim(name, claim);
        rests.afterClaim(hasMore, await start(jobs));
        if (!hasMore) return;
      }
    },
    async stop() {
      isStopping = true;
      const grace = setTimeout(() => {
        for (const { abort } of running) abort.abort();
      }, STOP_GRACE_MS);
      await Promise.all(Array.from(running, ({ done }) => done));
      clearTimeout(grace);
      clearInterval(renewal);
      if (running.size > 0) await source.release(runningJobs());
    },
  };
}

/** Starts a few items in each turn of the event loop. Returns the longest of these turns, in milliseconds. */
async function startInTurns<Item>(
  items: readonly Item[],
  clock: Clock,
  start: (item: Item) => void,
): Promise<number> {
  let turnMsMax = 0;
  for (let at = 0; at < items.length; at += STARTED_AT_ONCE) {
    const startedAtMs = clock.elapsedMs();
    items.slice(at, at + STARTED_AT_ONCE).forEach(start);
    await nextTurn();
    turnMsMax = Math.max(turnMsMax, clock.elapsedMs() - startedAtMs);
  }
  return turnMsMax;
}

type RestLimits = Pick<JobSource<unknown>, 'inFlightMax' | 'slotsKept' | 'roomRestMsMax'>;

interface RestOptions {
  slotsFree(): number;
  isServing(): boolean;
}

/** The rests of a queue before claims that follow one that left more to do. */
function createRests(
  { inFlightMax, slotsKept = 0, roomRestMsMax }: RestLimits,
  { slotsFree, isServing }: RestOptions,
) {
  let last = { hasMore: false, turnMs: 0 };
  const restMs = (restedMs: number) =>
    claimRestMs({
      roomRestMsMax,
      slotsMax: inFlightMax - slotsKept,
      slotsFree: slotsFree() - slotsKept,
      turnMs: last.turnMs,
      isServing: isServing(),
      restedMs,
    });
  return {
    async beforeClaim(): Promise<void> {
      if (!last.hasMore) return;
      let restedMs = 0;
      for (let ms = restMs(0); ms > 0; ms = restMs(restedMs)) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        restedMs += ms;
      }
    },
    isMoreKnown: () => last.hasMore,
    afterClaim(hasMore: boolean, turnMs: number): void {
      last = { hasMore, turnMs };
    },
  };
}
