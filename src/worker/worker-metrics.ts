/** Metrics of the background work. */
import { Counter, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export interface WorkerMetrics {
  /** Runs one turn of background work and measures it. */
  turn<T>(work: string, run: () => Promise<T>): Promise<T>;
  /** Runs one claim of a queue and measures it. */
  claim<T>(queue: string, run: () => Promise<T>): Promise<T>;
  /** Counts an attempt. `outcome` is a label from a small set, such as `2xx` or `TIMEOUT`. */
  attempted(queue: string, outcome: string): void;
}

/** Records nothing. */
export const NO_METRICS: WorkerMetrics = {
  turn: (_, run) => run(),
  claim: (_, run) => run(),
  attempted: () => {},
};

export function createWorkerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  const turns = new Histogram({
    name: 'tradeline_work_turn_duration_seconds',
    help: 'Turns of background work',
    labelNames: ['work'],
    buckets: SECONDS,
    registers,
  });
  const failures = new Counter({
    name: 'tradeline_work_failures_total',
    help: 'Turns of background work that failed, also while the database was away',
    labelNames: ['work'],
    registers,
  });
  const claims = new Histogram({
    name: 'tradeline_queue_claim_duration_seconds',
    help: 'Claims of due deliveries and mails',
    labelNames: ['queue'],
    buckets: SECONDS,
    registers,
  });
  const attempts = new Counter({
    name: 'tradeline_queue_attempts_total',
    help: 'Attempts to send a webhook or a mail, by outcome',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  return {
    async turn(work, run) {
      const end = turns.startTimer({ work });
      try {
        return await run();
      } catch (error) {
        failures.inc({ work });
        throw error;
      } finally {
        end();
      }
    },
    async claim(queue, run) {
      const end = claims.startTimer({ queue });
      try {
        return await run();
      } finally {
        end();
      }
    },
    attempted: (queue, outcome) => attempts.inc({ queue, outcome }),
  };
}
