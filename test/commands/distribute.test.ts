/** `tradeline distribute` without a cluster. The tests on a cluster are in test/citus. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, settingsOf } from '#test/command';
import { temporaryFolder } from '#test/program';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

describe.each([[[]], [['--check']], [['--json']]])('tradeline distribute %j', (args) => {
  const run = (env: Record<string, string>) => runHere(['distribute', ...args], env);

  it('is refused on PostgreSQL without Citus, and moves nothing', async () => {
    expect(await run(await settingsOf(world))).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr:
        'The database is PostgreSQL without Citus, which runs on one machine: create the extension citus in it and add nodes, or leave it as it is.\n',
    });
    expect((await world.get('/v1/platform')).status).toBe(200);
  });

  it('is refused on the embedded PostgreSQL, and starts none', async () => {
    expect(await run({ TRADELINE_DATA_DIR: temporaryFolder() })).toMatchObject({
      code: 1,
      stderr:
        'The data is in the embedded PostgreSQL, which runs on one machine: set DATABASE_URL to the coordinator of a cluster.\n',
    });
  });
});
