import { describe, expect, it } from 'vitest';
import { type Due, type DueSource, makeDueTransitions } from './due-transitions.ts';

/** A source with a transition due at each instant. `onMade` may add more. */
function sourceOf(trigger: string, instants: number[], onMade: (at: number) => void = () => {}) {
  const source: DueSource<null> & { waiting: number[] } = {
    waiting: instants,
    findPlatforms: async () => [],
    async findNext(_, __, until): Promise<Due | undefined> {
      const dueAt = source.waiting.filter((at) => at <= until).sort((a, b) => a - b)[0];
      return dueAt === undefined
        ? undefined
        : { dueAt, resource: 'order', externalId: `at-${dueAt}`, trigger };
    },
    async make(_, __, { dueAt }) {
      source.waiting = source.waiting.filter((at) => at !== dueAt);
      onMade(dueAt);
    },
  };
  return source;
}

const db = null as never;
const made = async (sources: DueSource<null>[], until: number, transitionsMax?: number) =>
  (await makeDueTransitions(sources, db, 1, until, null, transitionsMax)).map(
    ({ dueAt, trigger }) => `${dueAt} ${trigger}`,
  );

describe('makeDueTransitions', () => {
  it('orders by instant over all sources, then by the order of the sources', async () => {
    const sources = [sourceOf('renew', [5, 3]), sourceOf('expire', [3, 1, 9])];
    expect(await made(sources, 5)).toEqual(['1 expire', '3 renew', '3 expire', '5 renew']);
    expect(await made(sources, 5)).toEqual([]);
    expect(await made(sources, 9)).toEqual(['9 expire']);
  });

  it('includes a transition that becomes due on the way, at its instant', async () => {
    const last = sourceOf('close', []);
    const first = sourceOf('open', [2, 8], (at) => last.waiting.push(at + 3));
    expect(await made([first, last], 8)).toEqual(['2 open', '5 close', '8 open']);
  });

  it('stops at transitionsMax', async () => {
    const source = sourceOf('expire', [1, 2, 3]);
    expect(await made([source], 9, 2)).toEqual(['1 expire', '2 expire']);
    expect(source.waiting).toEqual([3]);
  });

  it('throws instead of looping if a source returns what it has made', async () => {
    const stuck = { ...sourceOf('expire', [1]), make: async () => {} };
    await expect(made([stuck], 1)).rejects.toThrow('due again after it was made');
  });
});
