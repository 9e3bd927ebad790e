import { describe, expect, it } from 'vitest';
import { type Due, type DueSource, makeDueTransitions } from './due-transitions.ts';
import type { Pacer } from './pacer.ts';

interface Waiting {
  at: number;
  id: string;
}

interface SourceOptions {
  togetherMax?: number;
  onMade?: (at: number) => void;
  /** The keys of transitions that cannot be made. */
  broken?: string[];
}

/** A source with a transition due at each instant. `onMade` may add more. */
function sourceOf(
  trigger: string,
  waiting: (number | Waiting)[],
  { togetherMax = 1, onMade = () => {}, broken = [] }: SourceOptions = {},
) {
  const source: DueSource<null> & { waiting: Waiting[]; batches: number[] } = {
    waiting: waiting.map((each) => (typeof each === 'number' ? { at: each, id: `at-${each}` } : each)),
    batches: [],
    togetherMax,
    findPlatforms: async () => [],
    async findNext(_, __, until, countMax, except) {
      const found = source.waiting
        .filter(({ at, id }) => at <= until && !except.some(({ externalId }) => externalId === id))
        .sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
      return found
        .filter(({ at }) => at === found[0]?.at)
        .slice(0, countMax)
        .map(({ at, id }): Due => ({ dueAt: at, resource: 'order', externalId: id, trigger }));
    },
    async make(_, __, due) {
      if (due.some(({ externalId }) => broken.includes(externalId))) throw new Error('It is broken.');
      source.batches.push(due.length);
      source.waiting = source.waiting.filter(
        ({ at, id }) => !due.some((each) => each.externalId === id && each.dueAt === at),
      );
      for (const { dueAt } of due) onMade(dueAt);
      return due;
    },
  };
  return source;
}

const db = null as never;
const make = (sources: DueSource<null>[], until: number, batchesMax?: number) =>
  makeDueTransitions(sources, db, 1, until, null, batchesMax === undefined ? {} : { batchesMax });
const made = async (sources: DueSource<null>[], until: number, batchesMax?: number) =>
  (await make(sources, until, batchesMax)).made.map(({ dueAt, trigger }) => `${dueAt} ${trigger}`);
const many = (at: number, count: number) =>
  Array.from({ length: count }, (_, nth) => ({ at, id: `${at}-${String(nth).padStart(3, '0')}` }));

describe('makeDueTransitions', () => {
  it('orders by instant over all sources, then by the order of the sources', async () => {
    const sources = [sourceOf('renew', [5, 3]), sourceOf('expire', [3, 1, 9])];
    expect(await made(sources, 5)).toEqual(['1 expire', '3 renew', '3 expire', '5 renew']);
    expect(await made(sources, 5)).toEqual([]);
    expect(await made(sources, 9)).toEqual(['9 expire']);
  });

  it('includes a transition that becomes due on the way, at its instant', async () => {
    const last = sourceOf('close', []);
    const onMade = (at: number) => last.waiting.push({ at: at + 3, id: `at-${at + 3}` });
    const first = sourceOf('open', [2, 8], { onMade });
    expect(await made([first, last], 8)).toEqual(['2 open', '5 close', '8 open']);
  });

  it('stops at batchesMax, and says whether there is more', async () => {
    const source = sourceOf('expire', [1, 2, 3]);
    expect(await make([source], 9, 2)).toMatchObject({ made: [{ dueAt: 1 }, { dueAt: 2 }], hasMore: true });
    expect(await make([source], 9, 2)).toMatchObject({ made: [{ dueAt: 3 }], hasMore: false });
  });

  it('makes those of one instant together, at most as many as the source takes, and never those of two', async () => {
    const source = sourceOf('become_due', [...many(1, 5), ...many(2, 2)], { togetherMax: 3 });
    const between = sourceOf('expire', [1]);
    expect(await made([between, source], 9)).toEqual([
      '1 expire',
      ...Array(5).fill('1 become_due'),
      ...Array(2).fill('2 become_due'),
    ]);
    expect(source.batches).toEqual([3, 2, 2]);
  });

  it('makes what it found of an instant before what becomes due at that instant on the way', async () => {
    const first = sourceOf('expire', []);
    const onMade = () => first.waiting.push({ at: 1, id: `way-${first.waiting.length}` });
    const source = sourceOf('become_due', many(1, 5), { togetherMax: 2, onMade });
    expect(await made([first, source], 1)).toEqual([
      ...Array(5).fill('1 become_due'),
      ...Array(5).fill('1 expire'),
    ]);
  });

  it('makes one by one what could not be made together, and everything but what fails', async () => {
    const source = sourceOf('become_due', [...many(1, 6), ...many(2, 2)], {
      togetherMax: 3,
      broken: ['1-000', '1-004'],
    });
    const { made, failed, hasMore } = await make([source, sourceOf('expire', [3])], 9);
    expect(made.map(({ externalId }) => externalId)).toEqual([
      '1-001',
      '1-002',
      '1-003',
      '1-005',
      '2-000',
      '2-001',
      'at-3',
    ]);
    expect(failed.map(({ due, error }) => [due.externalId, (error as Error).message])).toEqual([
      ['1-000', 'It is broken.'],
      ['1-004', 'It is broken.'],
    ]);
    expect(hasMore).toBe(false);
  });

  it('tells the pacer the least period of what a source made together, if the source limits its rate', async () => {
    const periodsMs: number[] = [];
    const pacer: Pacer = {
      async run(work, periodMsMin = () => 0) {
        const result = await work();
        periodsMs.push(Math.round(periodMsMin(result)));
        return result;
      },
    };
    const limited = Object.assign(sourceOf('remind', many(1, 5), { togetherMax: 3 }), { perSecondMax: 20 });
    const { made: all } = await makeDueTransitions([limited, sourceOf('renew', [2])], db, 1, 2, null, {
      pacer,
    });
    expect(all).toHaveLength(6);
    expect(periodsMs).toEqual([150, 100, 0]);
  });

  it('gives up when twenty have failed', async () => {
    const all = many(1, 30);
    const source = sourceOf('become_due', all, { togetherMax: 8, broken: all.map(({ id }) => id) });
    const { made, failed, hasMore } = await make([source], 9);
    expect([made, failed.length, hasMore]).toEqual([[], 20, false]);
  });

  it('throws if the database is away', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const source = { ...sourceOf('expire', [1]), make: () => Promise.reject(away) };
    await expect(make([source], 1)).rejects.toBe(away);
  });

  it('passes over what a source returns again after it was made, instead of looping', async () => {
    const stuck = { ...sourceOf('expire', [1]), make: async () => [] };
    const { failed, hasMore } = await make([stuck, sourceOf('close', [2])], 2);
    expect(failed).toMatchObject([{ due: { dueAt: 1 } }]);
    expect(String(failed[0]?.error)).toContain('due again after it was made');
    expect(hasMore).toBe(false);
  });

  it('leaves to the next call what a request makes due again in the present second', async () => {
    const source = sourceOf('examine', [2], {
      onMade: (at) => {
        if (source.batches.length < 3) source.waiting.push({ at, id: `at-${at}` });
      },
    });
    expect(await make([source], 2)).toMatchObject({ made: [{ dueAt: 2 }], failed: [], hasMore: false });
    expect(await make([source], 3)).toMatchObject({ made: [{ dueAt: 2 }], failed: [{ due: { dueAt: 2 } }] });
  });
});
