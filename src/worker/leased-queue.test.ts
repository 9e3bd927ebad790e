import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '#infra/log';
import { collectAll, collectYoung } from '#test/garbage';
import { createLeasedQueue, type LeasedQueue } from './leased-queue.ts';
import { NO_METRICS } from './worker-metrics.ts';

interface Job {
  id: string;
}

/** A table in memory whose jobs run until the test finishes them. */
function openQueue(
  ids: string[],
  { inFlightMax = 2, slotsKept = 0, turnMs = 0, isServing = true, roomRestMsMax = 10 } = {},
) {
  let elapsedMs = 0;
  // Each reading is one turn of the event loop later.
  const clock = { now: () => 0, elapsedMs: () => (elapsedMs += turnMs) };
  let due: Job[] = ids.map((id) => ({ id }));
  const calls: string[] = [];
  const running = new Map<string, { finish(): void; fail(error: Error): void }>();
  const lines: string[] = [];
  const note = (...parts: unknown[]) => void lines.push(String(parts[1]));
  const log = { debug: note, info: note, warn: note, error: note, isLevelEnabled: () => true } as Log;
  const list = (jobs: Job[]) => jobs.map(({ id }) => id).join();
  let renewalError: Error | null = null;
  const queue: LeasedQueue = createLeasedQueue<Job>(
    {
      name: 'job',
      inFlightMax,
      slotsKept,
      leaseSeconds: 3,
      roomRestMsMax,
      idOf: ({ id }) => id,
      logFieldsOf: (job) => job,
      async claim(batchSizeMax, leaseSeconds) {
        const claimed = due.splice(0, batchSizeMax);
        calls.push(`claim ${batchSizeMax} for ${leaseSeconds} s: ${list(claimed)}`);
        return { jobs: claimed, hasMore: claimed.length === batchSizeMax };
      },
      async renew(jobs, leaseSeconds) {
        calls.push(`renew for ${leaseSeconds} s: ${list(jobs)}`);
        if (renewalError) throw renewalError;
      },
      async release(jobs) {
        calls.push(`release: ${list(jobs)}`);
      },
      run: ({ id }, signal) =>
        new Promise((resolve, reject) => {
          running.set(id, { finish: resolve, fail: reject });
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    {
      ...{ log, clock, metrics: NO_METRICS, isServing: () => isServing },
      onSlotFree: () => void calls.push('slot free'),
    },
  );
  return {
    queue,
    calls,
    lines,
    running,
    finish: async (id: string) => {
      running.get(id)?.finish();
      await vi.waitFor(() => expect(calls.at(-1)).toBe('slot free'));
    },
    makeDue: (...more: string[]) => {
      due = [...due, ...more.map((id) => ({ id }))];
    },
    failRenewals: (error: Error) => {
      renewalError = error;
    },
  };
}

describe('A leased queue', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] }),
  );
  afterEach(() => void vi.useRealTimers());

  it('claims as many jobs as it has free slots, and reports a free slot', async () => {
    const { queue, finish, calls, running } = openQueue(['a', 'b', 'c']);
    await queue.dispatch();
    await queue.dispatch();
    expect(calls).toEqual(['claim 2 for 3 s: a,b']);
    await finish('a');
    await queue.dispatch();
    expect(calls.at(-1)).toBe('claim 1 for 3 s: c');
    for (const job of running.values()) job.finish();
    await queue.stop();
  });

  it('rests before the next claim of a busy process that serves requests, while more is due', async () => {
    const { queue, finish, calls, running } = openQueue(['a', 'b', 'c'], { turnMs: 10 });
    await queue.dispatch();
    await finish('a');
    const dispatched = queue.dispatch();
    await vi.advanceTimersByTimeAsync(19);
    expect(calls.at(-1)).toBe('slot free');
    await vi.advanceTimersByTimeAsync(1);
    await dispatched;
    expect(calls.at(-1)).toBe('claim 1 for 3 s: c');
    for (const job of running.values()) job.finish();
    await queue.stop();
  });

  it('waits for half of a few slots to be free, as long as its jobs can wait', async () => {
    const { queue, finish, calls, running } = openQueue(['a', 'b', 'c', 'd', 'e', 'f', 'g'], {
      inFlightMax: 4,
      roomRestMsMax: 50,
    });
    await queue.dispatch();
    await finish('a');
    const second = queue.dispatch();
    await vi.advanceTimersByTimeAsync(25);
    running.get('b')?.finish();
    await vi.advanceTimersByTimeAsync(5);
    await second;
    expect(calls.at(-1)).toBe('claim 2 for 3 s: e,f');
    await finish('c');
    const third = queue.dispatch();
    await vi.advanceTimersByTimeAsync(49);
    expect(calls.at(-1)).toBe('slot free');
    await vi.advanceTimersByTimeAsync(1);
    await third;
    expect(calls.at(-1)).toBe('claim 1 for 3 s: g');
    for (const job of running.values()) job.finish();
    await queue.stop();
  });

  it('counts no slot as room that is kept for few jobs', async () => {
    const { queue, finish, calls, running } = openQueue(['a', 'b', 'c', 'd', 'e', 'f'], {
      ...{ inFlightMax: 4, slotsKept: 2 },
    });
    await queue.dispatch();
    await finish('a');
    await finish('b');
    const dispatched = queue.dispatch();
    await vi.advanceTimersByTimeAsync(9);
    expect(calls.at(-1)).toBe('slot free');
    await vi.advanceTimersByTimeAsync(1);
    await dispatched;
    expect(calls.at(-1)).toBe('claim 2 for 3 s: e,f');
    for (const job of running.values()) job.finish();
    await queue.stop();
  });

  it('does not rest in a process that is busy with its jobs only', async () => {
    const { queue, finish, calls, running } = openQueue(['a', 'b', 'c'], { turnMs: 10, isServing: false });
    await queue.dispatch();
    await finish('a');
    await queue.dispatch();
    expect(calls.at(-1)).toBe('claim 1 for 3 s: c');
    for (const job of running.values()) job.finish();
    await queue.stop();
  });

  it('renews the leases of running jobs only, three times a lease', async () => {
    const { queue, calls, running } = openQueue(['a', 'b']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(calls).toEqual([]);
    await queue.dispatch();
    running.get('a')?.finish();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls.slice(1)).toEqual(['slot free', 'renew for 3 s: b', 'renew for 3 s: b']);
    running.get('b')?.finish();
    await queue.stop();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(calls.filter((call) => call.startsWith('re'))).toHaveLength(2);
  });

  it('logs a renewal that fails, and continues', async () => {
    const { queue, lines, running, failRenewals } = openQueue(['a']);
    await queue.dispatch();
    failRenewals(new Error('away'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(lines).toEqual(['job leases not renewed', 'job leases not renewed']);
    running.get('a')?.finish();
    await queue.stop();
  });

  it('runs a job once whose expired lease brings it back', async () => {
    const { queue, calls, running, makeDue } = openQueue(['a']);
    await queue.dispatch();
    const first = running.get('a');
    makeDue('a');
    await queue.dispatch();
    expect(running.get('a')).toBe(first);
    expect(calls).toEqual(['claim 2 for 3 s: a', 'claim 1 for 3 s: a', 'claim 1 for 3 s: ']);
    first?.finish();
    await queue.stop();
  });

  it('lets the lease of a failed job expire, and makes the slot available', async () => {
    const { queue, calls, lines, running } = openQueue(['a']);
    await queue.dispatch();
    running.get('a')?.fail(new Error('no database'));
    await vi.waitFor(() => expect(calls.at(-1)).toBe('slot free'));
    expect(lines).toEqual(['job attempt not recorded']);
    await queue.stop();
    expect(calls.filter((call) => call.startsWith('release'))).toEqual([]);
  });

  it('waits for running jobs when it stops, then aborts the rest and releases their leases', async () => {
    const { queue, calls, lines, running, makeDue } = openQueue(['a', 'b', 'c'], { inFlightMax: 3 });
    await queue.dispatch();
    makeDue('d');
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    running.get('a')?.finish();
    await vi.advanceTimersByTimeAsync(990);
    expect(isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    await stopped;
    await queue.dispatch();
    expect(calls.slice(1).filter((call) => !call.startsWith('renew'))).toEqual(['release: b,c']);
    expect(lines).toEqual([]);
  });
});

const CONTENT_BYTES = 20_000;
const JOBS = 1_000;
const FIRST_JOBS = 100;

it('leaves nothing of ended jobs among the old objects', async () => {
  let [started, bytesBefore] = [0, 0];
  const queue = createLeasedQueue<{ id: number; content: Buffer }>(
    {
      ...{ name: 'job', inFlightMax: 20, leaseSeconds: 60, roomRestMsMax: 0 },
      idOf: ({ id }) => id,
      logFieldsOf: () => ({}),
      async claim(batchSizeMax) {
        const jobs = Array.from({ length: Math.min(batchSizeMax, JOBS - started) }, () => ({
          id: ++started,
          content: Buffer.alloc(CONTENT_BYTES),
        }));
        return { jobs, hasMore: false };
      },
      renew: async () => {},
      release: async () => {},
      async run({ id }) {
        for (let turn = 0; turn < 5 + (id % 7); turn++) await nextTurn();
        if (id !== FIRST_JOBS) return;
        collectAll();
        bytesBefore = process.memoryUsage().external;
      },
    },
    {
      log: { warn: () => {}, error: () => {} } as unknown as Log,
      clock: { now: () => 0, elapsedMs: () => 0 },
      ...{ metrics: NO_METRICS, isServing: () => false, onSlotFree: () => {} },
    },
  );
  for (; started < JOBS; await nextTurn()) await queue.dispatch();
  await queue.stop();
  collectYoung();
  expect(process.memoryUsage().external - bytesBefore).toBeLessThan(50 * CONTENT_BYTES);
});
