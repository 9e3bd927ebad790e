import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createWorld } from '#test/world';
import { inTransaction } from '../database/transaction.ts';
import { givingWay } from './give-way.ts';

it('A handle that gives way waits after each statement of its transaction, in total no longer than 50 ms', async () => {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const patience: number[] = [];
  const giveWay = async (msMax: number) => {
    patience.push(msMax);
    return 30;
  };
  const work = () =>
    inTransaction(givingWay(world.installation.db, giveWay), async (transaction) => {
      for (let nth = 1; nth <= 3; nth++) await sql`select ${nth}::int`.execute(transaction);
    });
  await work();
  expect(patience).toEqual([50, 20]);
  await work();
  expect(patience, 'each piece of work has its own patience').toEqual([50, 20, 50, 20]);
  await world.close();
});
