/** Waits for conditions, and remembers what is waited for, so that a test that times out can tell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { patience } from './patience.ts';

/** What a usual condition takes at most on an idle reference machine. */
const USUAL_SECONDS = 10;

interface Wait {
  what: string;
  startedAtMs: number;
}
const waits = new Set<Wait>();

/** What is waited for at the moment, one line each. */
export const waitsUnderWay = () =>
  [...waits].map(
    ({ what, startedAtMs }) => `for ${Math.round((performance.now() - startedAtMs) / 1_000)} s: ${what}`,
  );

/** Runs something that waits, and lists it among the waits until it ends. */
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
 * Polls until the condition holds, and returns what it came to. Rejects with the condition's own text where it does not
 * hold within `seconds` of an idle reference machine.
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

/** Repeats an assertion until it holds, and returns its result. Rejects with its last failure, when `until` would. */
export function eventually<T>(assertion: () => T | Promise<T>, seconds = USUAL_SECONDS): Promise<T> {
  return waitingFor(textOf(assertion), () =>
    vi.waitFor(assertion, { timeout: patience(seconds), interval: 2 * seconds }),
  );
}

/** A function's source in one line. */
const textOf = (condition: () => unknown) => String(condition).replace(/\s+/g, ' ').slice(0, 300);
