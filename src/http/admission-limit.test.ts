import { describe, expect, it } from 'vitest';
import { type AdmissionLimit, createAdmissionLimit } from './admission-limit.ts';

interface Phase {
  ms: number;
  /** New requests per second of each client. */
  offered: Record<string, number>;
  /** Answers per second, in the order of arrival. */
  capacity: number;
}

interface Sent {
  client: string;
  atMs: number;
  /** Null if refused. */
  waitedMs: number | null;
}

/** Simulates a service that processes one queue, in steps of one millisecond, until the queue is empty. */
function play(phases: readonly Phase[], elapsed = { ms: 1_000_000 }): Sent[] {
  const limit: AdmissionLimit = createAdmissionLimit(() => elapsed.ms);
  const startedAtMs = elapsed.ms;
  const queue: Sent[] = [];
  const sent: Sent[] = [];
  const due: Record<string, number> = {};
  let answerable = 0;
  let done = 0;
  const step = ({ offered, capacity }: Phase) => {
    for (const [client, perSecond] of Object.entries(offered)) {
      due[client] = (due[client] ?? 0) + perSecond / 1_000;
      for (; (due[client] as number) >= 1; due[client] = (due[client] as number) - 1) {
        const request: Sent = { client, atMs: elapsed.ms - startedAtMs, waitedMs: null };
        sent.push(request);
        if (!limit.admits(client)) continue;
        limit.enter(client);
        queue.push(request);
      }
    }
    answerable += capacity / 1_000;
    for (; answerable >= 1 && done < queue.length; answerable--) {
      const request = queue[done++] as Sent;
      request.waitedMs = elapsed.ms - startedAtMs - request.atMs;
      limit.leave(request.client);
    }
    // An idle service saves up no capacity.
    if (done === queue.length) answerable = Math.min(answerable, 1);
    elapsed.ms += 1;
  };
  for (const phase of phases) for (let ms = 0; ms < phase.ms; ms++) step(phase);
  const last = phases.at(-1) as Phase;
  while (done < queue.length) step({ ms: 1, offered: {}, capacity: Math.max(last.capacity, 1_000) });
  expect(limit.inProgress()).toBe(0);
  return sent;
}

const refused = (sent: readonly Sent[]) => sent.filter(({ waitedMs }) => waitedMs === null);
const longest = (sent: readonly Sent[]) =>
  sent.reduce((most, { waitedMs }) => Math.max(most, waitedMs ?? 0), 0);
const between = (sent: readonly Sent[], fromMs: number, toMs: number) =>
  sent.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
const of = (sent: readonly Sent[], name: string) => sent.filter(({ client }) => client === name);
const steady = (ms: number, perSecond: number, capacity: number): Phase => ({
  ms,
  offered: { one: perSecond },
  capacity,
});

describe('the admission limit', () => {
  it.each([
    ['half of the capacity', [steady(5_000, 500, 1_000)]],
    ['nearly the capacity', [steady(5_000, 990, 1_000)]],
    ['a burst of a second’s work after rest', [steady(100, 0, 1_000), steady(100, 10_000, 1_000)]],
    [
      'a burst beside steady work',
      [steady(2_000, 500, 1_000), steady(50, 8_000, 1_000), steady(2_000, 500, 1_000)],
    ],
    [
      'a stop of 200 ms, as for a checkpoint',
      [steady(2_000, 700, 1_000), steady(200, 700, 0), steady(3_000, 700, 1_000)],
    ],
    ['a stop of ten seconds with few requests', [steady(10_000, 6, 0), steady(1_000, 6, 1_000)]],
  ])('refuses nothing of %s', (_, phases) => {
    expect(refused(play(phases))).toEqual([]);
  });

  it.each([300, 1_000, 8_000, 30_000])(
    'finds a capacity of %d a second by itself, and keeps the wait below a second at three times that',
    (capacity) => {
      const sent = play([steady(1_000, capacity / 2, capacity), steady(5_000, capacity * 3, capacity)]);
      expect(longest(sent)).toBeLessThan(1_000);
      const settled = between(sent, 2_000, 6_000);
      // Only requests that cannot be answered are refused: nearly the whole capacity is used.
      const accepted = settled.length - refused(settled).length;
      expect(accepted / 4).toBeGreaterThan(0.9 * capacity);
      expect(longest(settled)).toBeLessThan(500);
    },
  );

  it('refuses nothing from a second after an overload on', () => {
    const sent = play([steady(5_000, 3_000, 1_000), steady(5_000, 900, 1_000)]);
    expect(refused(between(sent, 0, 5_000)).length).toBeGreaterThan(8_000);
    expect(refused(between(sent, 6_000, 10_000))).toEqual([]);
  });

  it('follows a capacity that falls to a tenth', () => {
    const sent = play([steady(3_000, 4_000, 5_000), steady(6_000, 4_000, 500)]);
    expect(refused(between(sent, 0, 3_000))).toEqual([]);
    expect(longest(between(sent, 5_000, 9_000))).toBeLessThan(700);
  });

  it('lets 128 begin while nothing is answered, and the next at once when it is again', () => {
    const sent = play([steady(5_000, 200, 0), steady(1_000, 200, 1_000)]);
    const stuck = between(sent, 0, 5_000);
    // Requests that arrived while the queue might still have been a burst are accepted too.
    expect(stuck.length - refused(stuck).length).toBeGreaterThanOrEqual(128);
    expect(stuck.length - refused(stuck).length).toBeLessThan(128 + 60);
    expect(refused(between(sent, 5_100, 6_000))).toEqual([]);
  });

  it('refuses a flood at the cost of its own client', () => {
    const flood = { flood: 5_000, quiet: 10, other: 60 };
    const sent = play([{ ms: 5_000, offered: flood, capacity: 1_000 }]);
    expect(refused(of(sent, 'quiet'))).toEqual([]);
    expect(refused(of(sent, 'other'))).toEqual([]);
    expect(refused(of(sent, 'flood')).length).toBeGreaterThan(15_000);
    expect(longest(between(sent, 1_000, 5_000))).toBeLessThan(1_000);
  });

  it('is not evaded by a name of its own for each request', () => {
    const limit = createAdmissionLimit(() => elapsedMs);
    let elapsedMs = 0;
    let begun = 0;
    for (let nth = 0; nth < 5_000; nth++, elapsedMs++) {
      if (!limit.admits(`name ${nth}`)) continue;
      limit.enter(`name ${nth}`);
      begun++;
    }
    expect(begun).toBeLessThan(500);
  });
});
