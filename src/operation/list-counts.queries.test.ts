import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { createWorld, type World } from '#test/world';
import { countInTime } from './list-counts.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const count = (of: string) => sql<{ total: number }>`select count(*) as total from ${sql.raw(of)}`;

describe('the total of rows that are counted', () => {
  it('is exact, in a transaction as well', async () => {
    const { db } = world.installation;
    expect(await countInTime(db, count('generate_series(1, 1000)'))).toBe(1_000);
    expect(await inTransaction(db, (on) => countInTime(on, count('generate_series(1, 7)')))).toBe(7);
  });

  it('is none where counting takes too long, and the next one is not hurried', async () => {
    const { db } = world.installation;
    expect(await countInTime(db, count('pg_sleep(600)'))).toBeNull();
    const { rows } = await sql<{
      limit: string;
    }>`select current_setting('statement_timeout') as limit`.execute(db);
    expect(rows[0]?.limit).not.toBe('2s');
  });

  it('is refused where the statement is wrong', async () => {
    await expect(countInTime(world.installation.db, count('no_such_table'))).rejects.toThrow('no_such_table');
  });
});
