import { describe, expect, it } from 'vitest';
import type { Db } from './database.ts';
import { type GatherOptions, gathered, gatheredSets } from './gather.ts';

const db = {} as Db;
const transaction = { isTransaction: true } as Db;

interface Item {
  id: string;
  platformId?: number;
}

/** A set-based statement that records its calls and, on request, waits until the test releases it. */
function statement(
  options: GatherOptions<Item> & { fails?: (ids: string[]) => Error | undefined; isHeld?: boolean } = {},
) {
  const { fails = () => undefined, isHeld = false, ...rest } = options;
  const batches: string[][] = [];
  const databases: Db[] = [];
  const held: (() => void)[] = [];
  const run = gathered<Item, string>(async (on, items) => {
    const ids = items.map(({ id }) => id);
    batches.push(ids);
    databases.push(on);
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    const error = fails(ids);
    if (error) throw error;
    return items.map(({ id, platformId }) => `${platformId ?? ''}${id}!`);
  }, rest);
  const letGo = () => {
    for (const resolve of held.splice(0)) resolve();
  };
  return { run, batches, databases, letGo };
}

const items = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ id: `i${index}` }));
const immediate = () => new Promise((resolve) => setImmediate(resolve));

describe('calls of the same tick', () => {
  it('share one statement, and each gets its own result', async () => {
    const { run, batches } = statement();
    const results = await Promise.all(items(5).map((item) => run(db, item)));
    expect(results).toEqual(['i0!', 'i1!', 'i2!', 'i3!', 'i4!']);
    expect(batches).toEqual([['i0', 'i1', 'i2', 'i3', 'i4']]);
  });

  it('of different tenants share a statement but never a result', async () => {
    const { run, batches } = statement();
    const requested = Array.from({ length: 200 }, (_, platformId) => ({ id: 'same', platformId }));
    const results = await Promise.all(requested.map((item) => run(db, item)));
    expect(results).toEqual(requested.map(({ platformId }) => `${platformId}same!`));
    expect(batches).toHaveLength(1);
  });

  it('share a statement with their group only', async () => {
    const { run, batches } = statement({ groupOf: ({ platformId }) => platformId as number });
    const requested = [1, 2, 1, 3, 2].map((platformId, index) => ({ id: `i${index}`, platformId }));
    await Promise.all(requested.map((item) => run(db, item)));
    expect(batches).toEqual([['i0', 'i2'], ['i1', 'i4'], ['i3']]);
  });

  it('are at most 256 per statement, with two statements at once', async () => {
    const { run, batches, letGo } = statement({ isHeld: true });
    const all = Promise.all(items(1_000).map((item) => run(db, item)));
    await immediate();
    await immediate();
    expect(batches.map((batch) => batch.length)).toEqual([256, 256]);
    const release = setInterval(letGo);
    expect(await all).toHaveLength(1_000);
    clearInterval(release);
    expect(batches.map((batch) => batch.length)).toEqual([256, 256, 256, 232]);
  });

  it('of different databases never share a statement', async () => {
    const other = {} as Db;
    const { run, databases } = statement();
    await Promise.all([run(db, { id: 'a' }), run(other, { id: 'b' })]);
    expect(databases).toEqual([db, other]);
    expect(databases[0]).not.toBe(databases[1]);
  });
});

describe('a single call', () => {
  it('is not delayed', async () => {
    const { run, batches } = statement();
    void run(db, { id: 'alone' });
    await immediate();
    expect(batches).toEqual([['alone']]);
  });

  it('does not wait for the previous statement', async () => {
    const { run, batches, letGo } = statement({ isHeld: true });
    const first = run(db, { id: 'first' });
    await immediate();
    const second = run(db, { id: 'second' });
    await immediate();
    expect(batches).toEqual([['first'], ['second']]);
    letGo();
    expect(await Promise.all([first, second])).toEqual(['first!', 'second!']);
  });
});

describe('calls during two running statements', () => {
  it('gather until one of them ends', async () => {
    const { run, batches, letGo } = statement({ isHeld: true });
    const all = [];
    for (const { id } of items(6)) {
      all.push(run(db, { id }));
      await immediate();
    }
    expect(batches).toEqual([['i0'], ['i1']]);
    const release = setInterval(letGo);
    await Promise.all(all);
    clearInterval(release);
    expect(batches).toEqual([['i0'], ['i1'], ['i2', 'i3', 'i4', 'i5']]);
  });
});

describe('calls of a query that waits for others', () => {
  it('share one statement after that time, also from several turns of the event loop', async () => {
    const { run, batches } = statement({ waitMs: 20 });
    const first = run(db, { id: 'first' });
    await immediate();
    const second = run(db, { id: 'second' });
    expect(batches).toEqual([]);
    expect(await Promise.all([first, second])).toEqual(['first!', 'second!']);
    expect(batches).toEqual([['first', 'second']]);
  });
});

describe('a set of calls', () => {
  const recorded = () => {
    const batches: string[][] = [];
    const run = gatheredSets<Item, string>(async (_, all) => {
      batches.push(all.map(({ id }) => id));
      return all.map(({ id }) => `${id}!`);
    });
    return { run, batches };
  };

  it('shares a statement with other sets', async () => {
    const { run, batches } = recorded();
    const all = await Promise.all([run(db, items(2)), run(db, [{ id: 'other' }])]);
    expect(all).toEqual([['i0!', 'i1!'], ['other!']]);
    expect(batches).toEqual([['i0', 'i1', 'other']]);
  });

  it('is one statement in a transaction, and none where it is empty', async () => {
    const { run, batches } = recorded();
    expect(await run(transaction, items(3))).toEqual(['i0!', 'i1!', 'i2!']);
    expect(await run(transaction, [])).toEqual([]);
    expect(batches).toEqual([['i0', 'i1', 'i2']]);
  });
});

describe('inside a transaction', () => {
  it('a call runs alone, at once, on that transaction', async () => {
    const { run, batches, databases } = statement();
    const outside = run(db, { id: 'outside' });
    const inside = [run(transaction, { id: 'a' }), run(transaction, { id: 'b' })];
    expect(batches).toEqual([['a'], ['b']]);
    expect(databases).toEqual([transaction, transaction]);
    expect(await Promise.all([outside, ...inside])).toEqual(['outside!', 'a!', 'b!']);
  });
});

describe('an error', () => {
  it('reaches only the call that caused it', async () => {
    const bad = new Error('bad item');
    const { run } = statement({ fails: (ids) => (ids.includes('i3') ? bad : undefined) });
    const settled = await Promise.allSettled(items(6).map((item) => run(db, item)));
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(settled[3]).toMatchObject({ reason: bad });
  });

  it('of an unavailable database reaches every call: no statement is repeated', async () => {
    const away = Object.assign(new Error('Connection terminated unexpectedly'));
    const { run, batches } = statement({ fails: () => away });
    const settled = await Promise.allSettled(items(100).map((item) => run(db, item)));
    expect(settled.every((result) => result.status === 'rejected' && result.reason === away)).toBe(true);
    expect(batches).toHaveLength(1);
  });

  it('does not affect later calls', async () => {
    let isBroken = true;
    const { run } = statement({ fails: () => (isBroken ? new Error('broken') : undefined) });
    await Promise.allSettled(items(600).map((item) => run(db, item)));
    isBroken = false;
    expect(await run(db, { id: 'after' })).toBe('after!');
  });
});

describe('items with the same key', () => {
  it('never share a statement, and keep their order', async () => {
    const { run, batches } = statement({ keysOf: ({ id }) => [id.charAt(0)] });
    const ids = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2'];
    expect(await Promise.all(ids.map((id) => run(db, { id })))).toEqual(ids.map((id) => `${id}!`));
    for (const batch of batches) expect(new Set(batch.map((id) => id.charAt(0))).size).toBe(batch.length);
    const order = batches.flat();
    expect(order.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(order.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(batches[0]).toEqual(['a1', 'b1', 'c1']);
  });
});
