import { describe, expect, it, vi } from 'vitest';
import { createPacer } from './pacer.ts';

describe('A pacer rests after work', () => {
  it.each<[string, { workMs: number; isServing: boolean; periodMs?: number }, number]>([
    ['three times as long while requests are served', { workMs: 20, isServing: true }, 60],
    ['not at all without requests', { workMs: 20, isServing: false }, 0],
    ['no longer than half a second', { workMs: 10_000, isServing: true }, 500],
    ['until the least period has passed', { workMs: 20, isServing: true, periodMs: 200 }, 180],
    ['as long as usual after a shorter period', { workMs: 20, isServing: true, periodMs: 50 }, 60],
    ['not at all without requests, whatever the period', { workMs: 20, isServing: false, periodMs: 200 }, 0],
  ])('%s', async (_, { workMs, isServing, periodMs = 0 }, restMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let elapsedMs = 0;
    const clock = { elapsedMs: () => elapsedMs };
    const pacer = createPacer({ clock, isServing: () => isServing, restsPerWork: 3 });
    let hasEnded = false;
    const result = pacer
      .run(
        async () => {
          elapsedMs += workMs;
          return 'done';
        },
        () => periodMs,
      )
      .finally(() => {
        hasEnded = true;
      });
    await vi.advanceTimersByTimeAsync(Math.max(restMs - 1, 0));
    expect(hasEnded).toBe(restMs === 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('done');
    vi.useRealTimers();
  });
});
