/** Keeps work that can wait from holding up requests: it rests while the process serves some. */
import type { Clock } from './clock.ts';

export interface Pacer {
  /**
   * Runs a piece of work, then rests if requests are being served. Rejects if the work does. `periodMsMin` returns the least time that the
   * work and the rest take together, in milliseconds.
   */
  run<Result>(work: () => Promise<Result>, periodMsMin?: (result: Result) => number): Promise<Result>;
}

/** Never rests. */
export const UNPACED: Pacer = { run: (work) => work() };

export interface PacerOptions {
  clock: Pick<Clock, 'elapsedMs'>;
  /** Whether requests arrived recently. */
  isServing(): boolean;
  /** The length of a rest as a multiple of the piece of work before it: with 3, work takes a quarter of the time. */
  restsPerWork: number;
}

/** A piece of work that took unusually long does not cause a long rest. */
const REST_MS_MAX = 500;

export function createPacer({ clock, isServing, restsPerWork }: PacerOptions): Pacer {
  return {
    async run(work, periodMsMin = () => 0) {
      const startedAtMs = clock.elapsedMs();
      const result = await work();
      const tookMs = clock.elapsedMs() - startedAtMs;
      const restMs = Math.min(Math.max(tookMs * restsPerWork, periodMsMin(result) - tookMs), REST_MS_MAX);
      if (isServing()) await new Promise((resolve) => setTimeout(resolve, restMs));
      return result;
    },
  };
}
