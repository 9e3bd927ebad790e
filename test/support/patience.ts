/** How long tests wait before they give up: limits that grow with how slow and how busy the machine is. */
import { availableParallelism, loadavg } from 'node:os';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many times slower than the reference machine this one was when the run began; 1 or more. */
    slowness: number;
  }
}

/** What waits for a condition gives up late: a limit is there for what hangs, not for what is slow. */
const MARGIN = 3;

/** So that what hangs ends in minutes, also where the load of a larger host is read. */
const SLOWNESS_MAX = 10;

/** How many times longer than on an idle reference machine the same work takes now, by the clock; 1 or more. */
export function slowness(): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.min(SLOWNESS_MAX, Math.max(1, inject('slowness') ?? 1, perCore));
}

/** Milliseconds to wait for what takes up to so many seconds on an idle reference machine: at least three times as long. */
export function patience(seconds: number): number {
  return Math.round(seconds * 1_000 * MARGIN * slowness());
}
