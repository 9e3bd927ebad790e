import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

describe('Work of which two pieces run at once', () => {
  let begun: number[];
  let ends: PromiseWithResolvers<void>[];
  let done: Promise<number>[];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    begun = [];
    ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const run = fewAtOnce(2, 50);
    done = ends.map(({ promise }, nth) =>
      run(async () => {
        begun.push(nth);
        await promise;
        return nth;
      }),
    );
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begins with the next when one ends, in their order', async () => {
    expect(begun).toEqual([0, 1]);
    ends[1]?.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.reject(new Error('broken'));
    await expect(done[0]).rejects.toThrow('broken');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const { resolve } of ends) resolve();
    expect(await Promise.all(done.slice(1))).toEqual([1, 2, 3]);
  });

  it('does not wait longer than 50 ms', async () => {
    await vi.advanceTimersByTimeAsync(49);
    expect(begun).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const { resolve } of ends) resolve();
    await Promise.all(done);
  });
});
