import { describe, expect, it, vi } from 'vitest';
import { type KeptApart, keepApart } from './keep-apart.ts';
import { createPacer } from './pacer.ts';

describe('A pacer rests after work', () => {
  it.each([
    ['three times as long while requests are served', { workMs: 20, isServing: true }, 60],
    ['not at all without requests', { workMs: 20, isServing: false }, 0],
    ['no longer than half a second', { workMs: 10_000, isServing: true }, 500],
  ])('%s', async (_, { workMs, isServing }, restMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    let elapsedMs = 0;
    const clock = { elapsedMs: () => elapsedMs };
    const pacer = createPacer({ clock, isServing: () => isServing, restsPerWork: 3 });
    let hasEnded = false;
    const result = pacer
      .run(async () => {
        elapsedMs += workMs;
        return 'done';
      })
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

describe('A pacer keeps apart from other work', () => {
  const clock = { elapsedMs: () => 0 };
  const isServing = () => true;
  /** What a pacer with pieces of a work, and another work, do one after the other. */
  const noteOf = async (isKeptApart: boolean) => {
    const done: string[] = [];
    const [apart, other] = keepApart({ isServing }, [10_000, 10_000]) as [KeptApart, KeptApart];
    const pacer = createPacer({ clock, isServing, restsPerWork: 0, apart });
    const { promise, resolve } = Promise.withResolvers<void>();
    const otherWork = other.run(() => promise).then(() => done.push('other work'));
    const piece = pacer.run(async () => void done.push('piece'), { isKeptApart });
    await new Promise((next) => setImmediate(next));
    resolve();
    await Promise.all([otherWork, piece]);
    return done;
  };

  it('the pieces that ask for it', async () => {
    expect(await noteOf(true)).toEqual(['other work', 'piece']);
  });

  it('and no others', async () => {
    expect(await noteOf(false)).toEqual(['piece', 'other work']);
  });
});
