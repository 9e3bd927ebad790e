import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createWorld } from '#test/world';
import { inTransaction } from '../database/transaction.ts';
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
    const pacer = createPacer({ clock, isServing: () => isServing, giveWay: async () => 0, restsPerWork: 3 });
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

describe('A handle that gives way', () => {
  it('waits after each statement of its transaction, in total no longer than 50 ms', async () => {
    const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    const patience: number[] = [];
    const giveWay = async (msMax: number) => {
      patience.push(msMax);
      return 30;
    };
    const { clock, db } = world.installation;
    const pacer = createPacer({ clock, isServing: () => true, giveWay, restsPerWork: 0 });
    const work = () =>
      inTransaction(pacer.givingWay(db), async (transaction) => {
        for (let nth = 1; nth <= 3; nth++) await sql`select ${nth}::int`.execute(transaction);
      });
    await work();
    expect(patience).toEqual([50, 20]);
    await work();
    expect(patience, 'each piece of work has its own patience').toEqual([50, 20, 50, 20]);
    await world.close();
  });
});
