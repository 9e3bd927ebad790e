/** Durations that have an upper limit, measured once or more per round. */
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './measure.ts';

export interface Limit {
  what: string;
  barMs: number;
  tookMs: number[];
}

const CHECK_MS = 5;
const GIVEN_UP_AFTER_MS = 60_000;

export const limit = (what: string, barMs: number): Limit => ({ what, barMs, tookMs: [] });

/** Runs a task and records its duration. */
export async function timed<T>({ tookMs }: Limit, task: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await task();
  tookMs.push(performance.now() - startedAtMs);
  return result;
}

/** One sentence per limit. A limit applies to every duration, so the longest one decides. */
export function limitNotes(limits: readonly Limit[]): string[] {
  return limits.map(({ what, barMs, tookMs }) => {
    const longest = Math.max(...tookMs);
    return `${what}: ${tookMs.length} measured, median ${shown(median(tookMs))}, longest ${shown(longest)}; the bar of ${barMs / 1_000} s is ${longest <= barMs ? 'met' : 'missed'}.`;
  });
}

/** Waits for a condition. Throws after a minute. */
export async function waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const startedAtMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAtMs > GIVEN_UP_AFTER_MS)
      throw new Error(`Waited ${GIVEN_UP_AFTER_MS / 1_000} s for ${what}.`);
    await sleep(CHECK_MS);
  }
}

const shown = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
