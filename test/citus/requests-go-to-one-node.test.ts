/**
 * A statement of a request never goes to more than one node: here, a statement that would do so fails. Runs on the cluster of
 * `npm run test:citus`.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { v1 } from '#api/v1';
import type { PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import { type ClusterDatabase, isOnCluster, makeClusterDatabase, on } from '#test/cluster';
import { exampleOperations, sendExample } from '#test/examples';
import { endPrograms, runCommand, startProgram } from '#test/program';
import { get } from '#test/program-requests';
import { createStoryWorld } from '#test/story-world';
import type { Reply, World } from '#test/world';

/** Raises an error instead of logging a warning. */
const ONE_NODE = { 'citus.multi_task_query_log_level': 'error' };

// Needs a cluster, which `npm test` does not have.
describe.skipIf(!isOnCluster())('a service whose statements may go to one node only', () => {
  let database: ClusterDatabase;

  beforeAll(async () => {
    database = await makeClusterDatabase(ONE_NODE);
  });
  afterAll(async () => {
    await endPrograms();
    await database?.drop();
  });

  it('is an error otherwise', async () => {
    const env = {
      ...database.env,
      TRADELINE_WORKER: 'off',
      TRADELINE_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    for (const command of ['migrate', 'distribute'])
      expect(await runCommand([command], env)).toMatchObject({ code: 0 });
    const client = new pg.Client(database.env.DATABASE_URL);
    await client.connect();
    const count = client.query('select count(*) from orders').finally(() => client.end());
    await expect(count).rejects.toThrow('multi-task query about to be executed');
    // Runs the demo story.
    const program = await startProgram({ env });
    expect((await get(program, '/v1/orders')).body.items).not.toEqual([]);
    await program.stop();
  });
});

describe.skipIf(!isOnCluster())('every operation of the API, on one node', () => {
  let world: World;

  beforeAll(async () => {
    world = await createStoryWorld({}, { serverSession: ONE_NODE });
  });
  afterAll(() => world?.close());

  it('is among these', () => {
    expect(exampleOperations.map(({ id }) => id).sort()).toEqual(v1.map(([, , { id }]) => id).sort());
  });

  it.each(exampleOperations)('$id', async (operation) => {
    await sendExample(world, operation);
  });
});

describe.skipIf(!isOnCluster())('every operation of the API, while another node takes no connection', () => {
  /** Changes a table whose rows are all on every node. */
  const CHANGES_EVERY_NODE = 'setSandboxClock';
  let world: World;
  let database: string;
  let others: PostgresEndpoint[];

  beforeAll(async () => {
    // The service connects again for each transaction.
    world = await createStoryWorld(
      { TRADELINE_LOG_LEVEL: 'silent' },
      { serverSession: { 'citus.max_cached_conns_per_worker': '0' } },
    );
    const [placed] = await world.sql<{ database: string; port: number; host: string }>(
      `select current_database() as database, n.nodename as host, n.nodeport as port
      from pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('orders', $1::int)`,
      [world.platform.platform_id],
    );
    const [, ...workers] = inject('postgres').nodes;
    database = placed?.database as string;
    others = workers.filter(({ host, port }) => host !== placed?.host || port !== placed.port);
  });
  afterAll(() => world?.close());

  const letConnect = async (isAllowed: boolean) => {
    for (const node of others)
      await on({ ...node, database: 'postgres' }, (admin) =>
        admin.query(`alter database ${database} allow_connections ${isAllowed}`),
      );
  };
  const withoutOthers = async (send: () => Promise<Reply>) => {
    await letConnect(false);
    try {
      return await send();
    } finally {
      await letConnect(true);
    }
  };

  it.each(exampleOperations.filter(({ id }) => id !== CHANGES_EVERY_NODE))('$id', async (operation) => {
    await sendExample(world, operation, withoutOthers);
  });

  it(`${CHANGES_EVERY_NODE}: 503`, async () => {
    const reply = await withoutOthers(() => world.post('/v1/sandbox/clock', { advance_seconds: 1 }));
    expect(reply).toMatchObject({ status: 503 });
    expect(reply.headers.has('retry-after')).toBe(true);
  });
});
