/** Waits for conditions and records them, so that a test that times out can report its wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { patience } from './patience.ts';

/** The maximum time of a usual condition on an idle reference machine. */
const USUAL_SECONDS = 10;

interface Wait {
  what: string;
  startedAtMs: number;
}
const waits = new Set<Wait>();

/** The current waits, one line each. */
export const waitsUnderWay = () =>
  [...waits].map(
    ({ what, startedAtMs }) => `for ${Math.round((performance.now() - startedAtMs) / 1_000)} s: ${what}`,
  );

/** Runs `wait`, and lists it among the current waits until it ends. */
export async function waitingFor<T>(what: string, wait: () => Promise<T>): Promise<T> {
  const entry = { what, startedAtMs: performance.now() };
  waits.add(entry);
  try {
    return await wait();
  } finally {
    waits.delete(entry);
  }
}

/**
 * Polls until the condition holds, and returns its value. Rejects with the condition's source text if it does not hold within `seconds` of
 * an idle reference machine.
 */
export function until<T>(
  condition: () => T | undefined | Promise<T | undefined>,
  seconds = USUAL_SECONDS,
): Promise<NonNullable<T>> {
  const what = textOf(condition);
  return waitingFor(what, async () => {
    const limitMs = patience(seconds);
    const startedAtMs = performance.now();
    for (;;) {
      const result = await condition();
      if (result) return result as NonNullable<T>;
      if (performance.now() - startedAtMs > limitMs)
        throw new Error(`Waited ${limitMs / 1_000} s in vain for: ${what}`);
      await sleep(10);
    }
  });
}

/** Repeats an assertion until it holds, and returns its result. Rejects with its last failure after the time of `until`. */
export function eventually<T>(assertion: () => T | Promise<T>, seconds = USUAL_SECONDS): Promise<T> {
  return waitingFor(textOf(assertion), () =>
    vi.waitFor(assertion, { timeout: patience(seconds), interval: 2 * seconds }),
  );
}

/** A function's source in one line. */
const textOf = (condition: () => unknown) => String(condition).replace(/\s+/g, ' ').slice(0, 300);
