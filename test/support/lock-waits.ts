/** Transactions that wait for each other, for tests of what two of them do at once. */
import { until } from './until.ts';
import type { World } from './world.ts';

/** Until a statement of the world's database waits for a lock. */
export async function untilAnyWaits(world: World): Promise<void> {
  await until(async () => {
    const waiting = await world.sql(
      `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and not l.granted`,
    );
    return waiting.length > 0;
  });
}
