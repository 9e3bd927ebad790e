/**
 * A statement of a request never goes to more than one node: here each that would is an error. Runs on the cluster of
 * `npm run test:citus`.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { v1 } from '#api/v1';
import { type ClusterDatabase, isOnCluster, makeClusterDatabase } from '#test/cluster';
import { exampleOperations, sendExample } from '#test/examples';
import { endPrograms, runCommand, startProgram } from '#test/program';
import { get } from '#test/program-requests';
import { createStoryWorld } from '#test/story-world';
import type { World } from '#test/world';

/** An error in place of a warning in the log. */
const ONE_NODE = { 'citus.multi_task_query_log_level': 'error' };

// Needs a cluster, which `npm test` has not.
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
    // Tells the demo story.
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
