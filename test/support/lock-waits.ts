/** Transactions that wait for each other, for tests of concurrent transactions. */
import { inject } from 'vitest';
import { on } from './cluster.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Waits until a statement in the world's database waits for a lock, on any node of a cluster. */
export async function untilAnyWaits({ installation }: World): Promise<void> {
  const { database } = installation.owner;
  const inDatabase = inject('postgres').nodes.map((node) => ({ ...node, database: String(database) }));
  await until(async () => {
    const waiting = await Promise.all(
      inDatabase.map((node) =>
        on(node, (admin) =>
          admin.query(
            `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where a.datname = current_database() and not l.granted`,
          ),
        ),
      ),
    );
    return waiting.some(({ rows }) => rows.length > 0);
  });
}
