import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { patience } from '#test/patience';
import {
  copyOfProgram,
  endPrograms,
  type RunningProgram,
  runCommand,
  startProgram,
  temporaryFolder,
} from '#test/program';

afterAll(endPrograms);

describe('without TRADELINE_DATA_DIR', () => {
  let root: string;
  let service: RunningProgram;
  beforeAll(async () => {
    root = copyOfProgram();
    // An empty setting counts as not set.
    service = await startProgram({ root, args: ['--empty'], env: { TRADELINE_DATA_DIR: '' } });
  });
  afterAll(() => service?.stop());

  it('the data is beside the program, and commands find it from any folder', async () => {
    expect(existsSync(join(root, 'data', 'postgres'))).toBe(true);
    for (const cwd of [join(root, 'docs'), temporaryFolder()]) {
      const list = await runCommand(['platform', 'list'], {}, { root, cwd });
      expect(list).toMatchObject({ code: 0, data: `Data: ${join(root, 'data')}\n` });
      expect(list.stdout).toMatch(/^demo /m);
      expect(existsSync(join(cwd, 'data'))).toBe(false);
    }
  });

  it('npx tradeline finds it from a folder of the program', async () => {
    const { PATH, HOME } = process.env;
    const { stdout, stderr } = await promisify(execFile)('npx', ['tradeline', 'key', 'list'], {
      cwd: join(root, 'docs'),
      env: { PATH, HOME },
      timeout: patience(60),
    });
    expect(stdout).toMatch(/ first key /);
    expect(stderr).toContain(`Platform: demo, data: ${join(root, 'data')}\n`);
    expect(existsSync(join(root, 'docs', 'data'))).toBe(false);
  });

  it('data in ./data, where earlier versions kept it, is not passed over', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'data'));
    writeFileSync(join(cwd, 'data', 'tradeline.lock'), '');
    for (const command of [['platform', 'list'], ['migrate'], ['serve']]) {
      const { code, stderr } = await runCommand(command, {}, { root, cwd });
      expect([code, stderr]).toEqual([
        1,
        `${join(cwd, 'data')} has data of Tradeline, but without TRADELINE_DATA_DIR the data folder is ${join(root, 'data')}: ` +
          'set TRADELINE_DATA_DIR to the one you mean.\n',
      ]);
    }
  });
});

describe('with the ready file of a running service', () => {
  it('commands work on its data, wherever it is', async () => {
    const service = await startProgram({ args: ['--empty'] });
    const env = { TRADELINE_READY_FILE: service.env.TRADELINE_READY_FILE as string };
    const cwd = temporaryFolder();
    const list = await runCommand(['key', 'list'], env, { cwd });
    expect(list).toMatchObject({ code: 0, data: `Platform: demo, data: ${service.dataDir}\n` });
    expect(await runCommand(['migrate'], env, { cwd })).toMatchObject({
      code: 0,
      stdout: `Up to date: ${service.dataDir}.\n`,
    });
    await service.stop();
    const named = { ...env, TRADELINE_DATA_DIR: join(cwd, 'nowhere') };
    expect(await runCommand(['key', 'list'], named, { cwd })).toMatchObject({ code: 1 });
    expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
  });
});

describe('a command on a DATABASE_URL', () => {
  let postgres: OwnPostgres;
  let env: Record<string, string>;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const password = await postgres.addLogin('eva', 'createrole');
    await postgres.addDatabase('fresh', 'eva');
    const dataDir = join(temporaryFolder(), 'data');
    env = { DATABASE_URL: postgres.url('eva', password, 'fresh'), TRADELINE_DATA_DIR: dataDir };
  });
  afterAll(() => postgres?.stop());
  const tables = () => postgres.sql("select 1 from pg_tables where schemaname = 'public'", 'fresh');
  const role = () => postgres.sql("select 1 from pg_roles where rolname = 'tradeline_service'");

  it('makes no role, no tables and no master key', async () => {
    expect(await runCommand(['platform', 'list'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The database has no data of Tradeline yet: start the service /),
    });
    expect([await role(), await tables()]).toEqual([[], []]);
    expect(existsSync(env.TRADELINE_DATA_DIR as string)).toBe(false);
  });

  it('names the database without its password, and does not migrate one of an earlier version', async () => {
    await runCommand(['migrate'], env);
    const list = await runCommand(['platform', 'list'], env);
    expect(list).toMatchObject({ code: 0, data: expect.stringMatching(/\/fresh of DATABASE_URL\n$/) });
    const password = new URL((env.DATABASE_URL as string).replace('@/', '@socket/')).password;
    expect(list.data).not.toContain(password);

    const [last] = await postgres.sql('select name from schema_migrations order by id desc limit 1', 'fresh');
    await postgres.sql(
      'delete from schema_migrations where id = (select max(id) from schema_migrations)',
      'fresh',
    );
    const { code, stderr } = await runCommand(['platform', 'list'], env);
    expect([code, stderr]).toEqual([
      1,
      `The database is of an earlier version (it lacks ${last?.name}): run \`tradeline migrate\`, or start this version of the service.\n`,
    ]);
  });
});
