/** A version that only adds to the schema starts while the previous one runs; a version that removes from it is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { merchantBody } from '#test/bodies';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import {
  copyOfProgram,
  endPrograms,
  launchProgram,
  type RunningProgram,
  runCommand,
  startProgram,
} from '#test/program';
import { get, post } from '#test/program-requests';
import { eventually, until } from '#test/until';
import { WriteLoad } from '#test/write-load';
import { acknowledgements } from '#test/writes-under-kills';

vi.setConfig({ testTimeout: patience(60) });

/** Already prepared statements return all columns of a platform. */
const ADDS = {
  name: '9998_adds',
  sql: '-- works from 0096\nalter table buyers add column nickname text;\nalter table platforms add column nickname text;\n',
};
/** The migrating process has locked the first table when it waits for the second. */
const OF_TWO_TABLES = {
  name: '9999_two_tables',
  sql: 'alter table merchants add column nickname text;\nalter table contacts add column nickname text;\n',
};
const TAKES_AWAY = { name: '9999_takes_away', sql: 'alter table buyers drop column nickname;\n' };

/** A copy of the program with further migrations. */
function laterVersion(...migrations: { name: string; sql: string }[]): string {
  const root = copyOfProgram();
  for (const { name, sql } of migrations) writeFileSync(join(root, 'migrations', `${name}.sql`), sql);
  return root;
}

describe('an upgrade of several processes', () => {
  let postgres: OwnPostgres;
  let env: Record<string, string>;
  let before: RunningProgram;
  const next = laterVersion(ADDS);
  const last = laterVersion(ADDS, TAKES_AWAY);
  const readiness = async (program: RunningProgram) => {
    const { status, body } = await get(program, '/readyz');
    return { status, migrations: body.checks.migrations };
  };
  const READY = { status: 200, migrations: 'ok' };

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const password = await postgres.addLogin('tradeline', 'createrole');
    await postgres.addDatabase('upgraded', 'tradeline');
    env = {
      DATABASE_URL: postgres.url('tradeline', password, 'upgraded'),
      TRADELINE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      TRADELINE_RATE_LIMIT_PER_SECOND: '0',
    };
    before = await startProgram({ args: ['--empty'], env });
    await post(before, '/v1/merchants', merchantBody({}));
  }, patience(60));
  afterAll(async () => {
    await postgres?.stop();
    await endPrograms();
  });

  it('says beforehand whether the running version continues to work', async () => {
    expect(await runCommand(['migrate', '--check'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Up to date: /),
    });
    expect(await runCommand(['migrate', '--check'], env, { root: next })).toMatchObject({
      code: 0,
      stdout: '9998_adds: the running version continues to work\n',
    });
    expect(await runCommand(['migrate', '--check'], env, { root: last })).toMatchObject({
      code: 1,
      stdout:
        '9998_adds: the running version continues to work\n9999_takes_away: the running version must be stopped\n',
    });
    expect(await readiness(before)).toEqual(READY);
  });

  it('over a migration that only adds leaves no request without its answer', async () => {
    const load = new WriteLoad([{ code: 'main', apiKey: before.apiKey }]);
    await load.aim(before.baseUrl);
    await acknowledgements(load, 50);
    const after = await startProgram({ root: next, env });
    expect(after.output()).toContain('Migrated the database: 9998_adds');
    await load.turnTo([before.baseUrl, after.baseUrl]);
    await acknowledgements(load, 100);
    expect([await readiness(before), await readiness(after)]).toEqual([READY, READY]);
    await load.turnTo([after.baseUrl]);
    expect(await before.stop('SIGTERM')).toBe(0);
    await acknowledgements(load, 50);
    await load.stop();
    expect(load.surprises).toEqual([]);
    expect(load.unanswered).toBe(0);
    expect(await after.stop('SIGTERM')).toBe(0);
  });

  it('that only adds can be taken back: the version before starts on the schema of the next', async () => {
    before = await startProgram({ env });
    expect(await readiness(before)).toEqual(READY);
    expect(await runCommand(['platform', 'list'], env)).toMatchObject({ code: 0, stderr: '' });
  });

  it('over any other migration makes the version before not ready, and refuses to start it', async () => {
    const after = await startProgram({ root: last, env });
    expect(await readiness(after)).toEqual(READY);
    await eventually(async () =>
      expect(await readiness(before)).toEqual({ status: 503, migrations: 'failed' }),
    );
    const sentence =
      'The database is of a later version (it has 9999_takes_away): start that version, or restore a backup from before its migration.\n';
    const { exited, output } = launchProgram({ env });
    expect((await exited).code).toBe(1);
    expect(output()).toBe(sentence);
    for (const command of [['platform', 'list'], ['migrate'], ['migrate', '--check']])
      expect(await runCommand(command, env)).toMatchObject({ code: 1, stdout: '', stderr: sentence });
  });

  it('that meets a deadlock with a transaction of the version before runs again', async () => {
    const further = laterVersion(ADDS, TAKES_AWAY, OF_TWO_TABLES);
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    await client.query('begin');
    await client.query('select from contacts');
    const migrating = runCommand(['migrate'], env, { root: further });
    const watch = new pg.Client(env.DATABASE_URL);
    await watch.connect();
    await until(async () => {
      const { rows } = await watch.query(
        "select from pg_locks where relation = 'contacts'::regclass and not granted",
      );
      return rows.length > 0;
    });
    // The process that has waited longer detects the deadlock and is aborted.
    await client.query('select from merchants');
    await client.query('commit');
    await Promise.all([client.end(), watch.end()]);
    expect(await migrating).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Migrated the database: 9999_two_tables\n'),
    });
  });
});
