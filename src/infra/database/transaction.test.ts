import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '#test/until';
import { createWorld, type World } from '#test/world';
import type { Db } from './database.ts';
import { gathered } from './gather.ts';
import { inTransaction, RunAgain } from './transaction.ts';

let world: World;
let db: Db;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  db = world.installation.db;
  await world.sql('create table counters (name text primary key, count int not null)');
  await world.sql("insert into counters values ('one', 0), ('other', 0)");
  await world.sql('grant select, update on counters to tradeline_service');
});
afterAll(() => world.close());

const increase = (on: Db, name: string) =>
  sql`update counters set count = count + 1 where name = ${name}`.execute(on);
const counts = () => world.sql('select name, count from counters order by name');
const set = (count: number) => world.sql('update counters set count = $1', [count]);

describe('a transaction', () => {
  it('is committed as a whole', async () => {
    await set(0);
    const result = await inTransaction(db, async (transaction) => {
      await increase(transaction, 'one');
      await increase(transaction, 'other');
      return 'done';
    });
    expect(result).toBe('done');
    expect(await counts()).toEqual([
      { name: 'one', count: 1 },
      { name: 'other', count: 1 },
    ]);
  });

  it('is rolled back when its work throws, and rejects with that error at once', async () => {
    await set(0);
    let runs = 0;
    const failing = inTransaction(db, async (transaction) => {
      runs++;
      await increase(transaction, 'one');
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(runs).toBe(1);
    expect((await counts())[0]).toEqual({ name: 'one', count: 0 });
  });

  it('in a deadlock runs again, and both transactions take effect once', async () => {
    await set(0);
    let runs = 0;
    /** Locks its first row, then its second once the other has locked its first: each waits for the other. */
    const arrived = Promise.withResolvers<void>();
    let waiting = 2;
    const both = (first: string, second: string) =>
      inTransaction(db, async (transaction) => {
        runs++;
        await increase(transaction, first);
        if (--waiting === 0) arrived.resolve();
        await arrived.promise;
        await increase(transaction, second);
      });
    await Promise.all([both('one', 'other'), both('other', 'one')]);
    // PostgreSQL may end both at the same time.
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(await counts()).toEqual([
      { name: 'one', count: 2 },
      { name: 'other', count: 2 },
    ]);
  });

  it('gives up after five runs', async () => {
    let runs = 0;
    const failing = inTransaction(db, async () => {
      runs++;
      throw new RunAgain('could not serialize');
    });
    await expect(failing).rejects.toThrow('could not serialize');
    expect(runs).toBe(5);
  });
});

it('a gathered statement in a deadlock runs again, and takes effect once', async () => {
  await set(0);
  let runs = 0;
  const increaseGathered = gathered<string, number>(async (on, names) => {
    runs++;
    // Waits for the first lock while it holds the second.
    const { rows } = await sql<{ count: number }>`
      with locked as materialized (select pg_advisory_xact_lock(2), pg_advisory_xact_lock(1))
      update counters set count = count + 1 from locked where name = any(${names}) returning count`.execute(
      on,
    );
    return rows.map(({ count }) => count);
  });
  const other = await db.startTransaction().execute();
  await sql`select pg_advisory_xact_lock(1)`.execute(other);
  const increased = increaseGathered(db, 'one');
  await eventually(async () => {
    const held = await world.sql(
      "select from pg_locks where locktype = 'advisory' and objid = 2 and granted",
    );
    expect(held).toHaveLength(1);
  });
  await sql`select pg_advisory_xact_lock(2)`.execute(other);
  await other.commit().execute();
  expect(await increased).toBe(1);
  expect(runs).toBe(2);
  expect((await counts())[0]).toEqual({ name: 'one', count: 1 });
});
