/**
 * A database with the demo moves to a cluster, and the service works on it as before. Runs on the cluster of
 * `npm run test:citus`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { type ClusterDatabase, isOnCluster, makeClusterDatabase } from '#test/cluster';
import {
  type CommandResult,
  endPrograms,
  launchCommand,
  type RunningProgram,
  runCommand,
  startProgram,
} from '#test/program';
import { get, post } from '#test/program-requests';
import { until } from '#test/until';

const TABLES = 124;
const LISTS = ['buyers', 'merchants', 'orders?limit=100', 'invoices', 'facilities', 'payouts', 'events'];

// Needs a cluster, which `npm test` does not have.
describe.skipIf(!isOnCluster())('a database that moves to a cluster', () => {
  let database: ClusterDatabase;
  let program: RunningProgram;
  let before: string[];

  const readLists = () => Promise.all(LISTS.map(async (list) => (await get(program, `/v1/${list}`)).text));
  const start = async () => {
    // Nothing falls due in between.
    const env = { ...database.env, TRADELINE_WORKER: 'off' };
    program = await startProgram({ env, ...(program && { dataDir: program.dataDir }) });
  };
  const check = async () => {
    const { code, stdout } = await runCommand(['distribute', '--check', '--json'], program.env);
    const { tables } = JSON.parse(stdout) as { tables: { goes_to: string; is_at: string }[] };
    return { code, elsewhere: tables.filter((each) => each.is_at !== 'local').length };
  };
  const countOf = async (from: string) =>
    (await database.sql<{ n: number }>(`select count(*)::int as n from ${from}`))[0]?.n ?? 0;
  const countPlacedBy = ({ stdout }: CommandResult) => stdout.match(/^Moved the table /gm)?.length ?? 0;

  beforeAll(async () => {
    database = await makeClusterDatabase();
    await start();
    before = await readLists();
  });
  afterAll(async () => {
    await endPrograms();
    await database?.drop();
  });

  it('is not moved while the service runs on it, which says that it can be', async () => {
    expect(program.output()).toMatch(
      /^Citus \S+ with 2 nodes: its tables are on the coordinator until `tradeline distribute`\.$/m,
    );
    expect(await runCommand(['distribute'], program.env)).toMatchObject({
      code: 1,
      stderr: 'The service is running on this database: stop all its processes first.\n',
    });
    expect(await check()).toEqual({ code: 1, elsewhere: 0 });
    await program.stop();
  });

  it('goes on where it was killed, and twice at once moves each table once', async () => {
    const first = launchCommand(['distribute'], program.env);
    await until(async () => (await countOf('pg_dist_partition')) > 3);
    process.kill(first.pid, 'SIGKILL');
    const placedFirst = countPlacedBy(await first.ended);
    expect((await check()).code).toBe(1);
    const again = () => runCommand(['distribute'], program.env);
    const both = await Promise.all([again(), again()]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const local = 5;
    expect(countPlacedBy(both[0]) + countPlacedBy(both[1])).toBeGreaterThanOrEqual(
      TABLES - local - placedFirst - 1,
    );
    expect(await check()).toEqual({ code: 0, elsewhere: TABLES - local });
    expect((await runCommand(['distribute'], program.env)).stdout).toMatch(
      /^Each table was already in place: Citus /,
    );
  });

  it('answers as before, and goes on', async () => {
    await start();
    expect(program.output()).toMatch(/^Citus \S+ with 2 nodes: its tables are distributed\.$/m);
    expect(await readLists()).toEqual(before);
    expect((await post(program, '/v1/buyers', buyerBody({ external_id: 'after' }))).status).toBe(201);
    expect((await get(program, '/v1/buyers/after')).status).toBe(200);
    expect(await runCommand(['ledger', 'verify'], program.env)).toMatchObject({ code: 0 });
  });

  it('says which statements go to one node, if Citus counts them', async () => {
    const statements = async () => {
      const { stdout } = await runCommand(['distribute', '--check', '--json'], program.env);
      return (JSON.parse(stdout) as { statements: { goes_to: string; calls: number; text: string }[] | null })
        .statements;
    };
    const [settings] = await database.sql<{ is_loaded: boolean }>(
      `select current_setting('pg_stat_statements.max', true) is not null
        and current_setting('citus.stat_statements_track') = 'all' as is_loaded`,
    );
    expect(await statements()).toBeNull();
    if (!settings?.is_loaded) {
      const { stdout } = await runCommand(['distribute', '--check'], program.env);
      expect(stdout).toContain('Citus does not count them');
      return;
    }
    await database.sql('create extension pg_stat_statements');
    await database.sql('grant pg_read_all_stats to tradeline_owner');
    try {
      let counted: Awaited<ReturnType<typeof statements>> = [];
      const placesOf = (part: string) =>
        new Set(counted?.filter(({ text }) => text.includes(part)).map(({ goes_to }) => goes_to));
      // PostgreSQL forgets statements when other tests send many.
      await until(async () => {
        expect((await get(program, '/v1/buyers')).status).toBe(200);
        counted = await statements();
        return ['from "buyers"', 'from api_keys k'].every((part) => placesOf(part).size > 0);
      });
      expect(placesOf('from "buyers"')).toEqual(new Set(['one node']));
      expect(placesOf('from api_keys k')).toEqual(new Set(['no platform of its own']));
      const { stdout } = await runCommand(['distribute', '--check'], program.env);
      expect(stdout).toMatch(/^one node +\d+ +\d+$/m);
      expect(stdout).toMatch(/^ +\d+ {2}.*from api_keys k/m);
    } finally {
      await database.sql('revoke pg_read_all_stats from tradeline_owner');
    }
  });

  it('has the tables of a later version distributed when it starts', async () => {
    await program.stop();
    // The state in which a migration leaves a new table.
    const key = 'platform_logos_platform_id_fkey';
    await database.sql(`alter table platform_logos drop constraint ${key}`);
    await database.sql("select undistribute_table('platform_logos')");
    await database.sql(
      `alter table platform_logos add constraint ${key} foreign key (platform_id) references platforms`,
    );
    expect((await check()).code).toBe(1);
    await start();
    expect(program.output()).toMatch(/^Moved the table platform_logos: distributed\.$/m);
    expect((await check()).code).toBe(0);
    await program.stop();
  });
});
