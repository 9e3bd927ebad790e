import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type KeptApart, keepApart } from './keep-apart.ts';

const WAIT_MS = 300;

afterEach(() => vi.useRealTimers());

describe('Two kinds of work that are kept apart', () => {
  const open = ({ isServing = true } = {}) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [one, other] = keepApart({ isServing: () => isServing }, [WAIT_MS, WAIT_MS]);
    return { one, other };
  };
  /** Starts a work of a kind, which runs until it is ended. */
  const begin = (kind: KeptApart) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    return { done: kind.run(() => promise), end: resolve, fail: reject };
  };
  const isAlone = async (waiting: Promise<void>) => {
    const first = await Promise.race([waiting.then(() => true), nextTurn(false)]);
    return first;
  };

  it('wait for each other', async () => {
    const { one, other } = open();
    const [work, second] = [begin(other), begin(other)];
    const waiting = one.whenAlone();
    work.end();
    await work.done;
    expect(await isAlone(waiting)).toBe(false);
    second.end();
    expect(await isAlone(waiting)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    const own = begin(one);
    expect(await isAlone(other.whenAlone())).toBe(false);
    own.end();
  });

  it('wait for no work of their own kind', async () => {
    const { one } = open();
    begin(one);
    expect(await isAlone(one.whenAlone())).toBe(true);
  });

  it('wait no longer than their longest wait', async () => {
    const { one, other } = open();
    begin(other);
    const waiting = one.whenAlone();
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(await isAlone(waiting)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isAlone(waiting)).toBe(true);
  });

  it('do not wait while no requests are served', async () => {
    const { one, other } = open({ isServing: false });
    begin(other);
    expect(await isAlone(one.whenAlone())).toBe(true);
  });

  it('do not wait for work that has failed', async () => {
    const { one, other } = open();
    const work = begin(other);
    const waiting = one.whenAlone();
    work.fail(new Error('no answer'));
    await expect(work.done).rejects.toThrow('no answer');
    expect(await isAlone(waiting)).toBe(true);
  });
});
