import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSpreadTimers } from './spread-timers.ts';

const SECONDS = 10;

describe('Spread timers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('wake each work once in a period, none together with another one', async () => {
    const calledAt = [0, 1, 2, 3, 4].map(() => [] as number[]);
    const startedAt = Date.now();
    const timers = startSpreadTimers(
      calledAt.map((instants) => [{ wake: () => void instants.push(Date.now() - startedAt) }, 1_000]),
    );
    await vi.advanceTimersByTimeAsync(SECONDS * 1_000 - 1);
    expect(calledAt.map(({ length }) => length)).toEqual([SECONDS, SECONDS, SECONDS, SECONDS, SECONDS]);
    const first = calledAt.map((instants) => instants[0] as number).sort((one, other) => one - other);
    expect(Math.min(...first.slice(1).map((at, nth) => at - (first[nth] as number)))).toBeGreaterThan(100);
    for (const instants of calledAt)
      expect(instants.every((at, nth) => at === (instants[0] as number) + nth * 1_000)).toBe(true);
    timers.stop();
  });

  it('wake nothing after they were stopped, before or after the first call', async () => {
    const calls: string[] = [];
    const timers = startSpreadTimers([
      [{ wake: () => void calls.push('early') }, 1_000],
      [{ wake: () => void calls.push('late') }, 1_000],
    ]);
    await vi.advanceTimersByTimeAsync(500);
    timers.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls).toEqual(['early']);
  });
});
