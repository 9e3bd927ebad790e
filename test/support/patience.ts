/** Time limits of tests, which grow with the slowness and load of the machine. */
import { availableParallelism, loadavg } from 'node:os';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many times slower than the reference machine this one was when the run began; 1 or more. */
    slowness: number;
  }
}

/** Limits are generous, because they are meant for tests that hang, not for slow ones. */
const MARGIN = 3;

/** A maximum, so that a hanging test ends within minutes even if the reported load is that of a larger host. */
const SLOWNESS_MAX = 10;

/** How many times longer the same work takes now than on an idle reference machine, by the clock; 1 or more. */
export function slowness(): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.min(SLOWNESS_MAX, Math.max(1, inject('slowness') ?? 1, perCore));
}

/** Milliseconds to wait for work that takes up to `seconds` on an idle reference machine: at least three times as long. */
export function patience(seconds: number): number {
  return Math.round(seconds * 1_000 * MARGIN * slowness());
}
