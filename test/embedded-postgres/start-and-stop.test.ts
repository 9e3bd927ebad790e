import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  attachToRunningPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#infra/embedded-postgres/embedded-postgres';
import { StartRefused } from '#kernel/start-refused';
import { copyOf, copyOfNative, modeOf, namesOf, useTestFolder } from '#test/embedded-postgres-folders';
import { FAST, processesBelow, query, start } from '#test/embedded-postgres-processes';

const { folder, made } = useTestFolder();

describe('first start', () => {
  it('creates a cluster with its three roles', async () => {
    const dataDir = join(folder, 'first');
    const said: string[] = [];
    const postgres = await startEmbeddedPostgres({
      dataDir,
      report: (sentence) => said.push(sentence),
      settings: FAST,
    });
    try {
      expect(said).toEqual([`Creating the database in ${dataDir}/postgres.`]);
      expect(modeOf(dataDir)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
      expect(modeOf(join(dataDir, 'postgres-password'))).toBe(0o600);

      const [facts] = await query(
        postgres.endpoint('superuser'),
        `select current_setting('data_checksums') as checksums, current_setting('listen_addresses') as addresses,
                upper('é') as upper, 'Z' < 'a' collate "default" as by_code_point,
                (select datlocale from pg_database where datname = 'tradeline') as locale`,
      );
      expect(facts).toEqual({
        checksums: 'on',
        addresses: '',
        upper: 'É',
        by_code_point: true,
        locale: 'C.UTF-8',
      });
    } finally {
      await postgres.stop();
    }
    expect(namesOf(dataDir)).toEqual(['postgres', 'postgres-password', 'postgres.log', 'tradeline.lock']);
  });

  it('completes what a kill after making the cluster left out', async () => {
    const dataDir = made;
    const before = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
    const superuser = before.endpoint('superuser');
    await query(superuser, 'drop database tradeline');
    await query(superuser, 'drop role tradeline_owner');
    await query(superuser, 'alter role tradeline_service superuser');
    await before.stop();

    const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
    expect(await query(postgres.endpoint('owner'), 'select 1 as one')).toEqual([{ one: 1 }]);
    const [service] = await query(
      postgres.endpoint('service'),
      `select current_setting('is_superuser') as super`,
    );
    expect(service).toEqual({ super: 'off' });
    await postgres.stop();
  });
});

describe('roles', () => {
  it('let the owner work and the service only what it is granted', async () => {
    const postgres = await startEmbeddedPostgres({
      dataDir: made,
      report: () => {},
      settings: FAST,
    });
    const [owner, service] = [postgres.endpoint('owner'), postgres.endpoint('service')];
    await query(owner, 'create extension pg_trgm; create extension btree_gin; create table kept (id int)');
    const roles = await query(
      service,
      `select rolname, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as has_power,
              exists (select from pg_shdepend where refobjid = r.oid and deptype = 'o') as owns_something
         from pg_roles r where rolname like 'tradeline%' order by rolname`,
    );
    expect(roles).toEqual([
      { rolname: 'tradeline_owner', has_power: false, owns_something: true },
      { rolname: 'tradeline_service', has_power: false, owns_something: false },
    ]);
    for (const sql of ['create table t (id int)', 'select * from kept', 'set role tradeline_owner']) {
      await expect(query(service, sql)).rejects.toThrow('permission denied');
    }
    const elsewhere = query({ ...service, database: 'postgres' }, 'select 1');
    await expect(elsewhere).rejects.toThrow('permission denied');
    const guessed = query({ ...postgres.endpoint('superuser'), password: 'guess' }, 'select 1');
    await expect(guessed).rejects.toThrow('password authentication failed');
    await postgres.stop();
  });
});

describe('next start', () => {
  it('is ready, and stopping it leaves nothing', async () => {
    const dataDir = made;
    const server = start({ dataDir });
    await server.line('ready');
    await server.stop();
    expect(processesBelow(dataDir)).toEqual([]);
    expect(server.said).toEqual([]);
  });

  it('works through a link to the data folder, with permissions a volume widened and a log that has grown', async () => {
    const dataDir = made;
    for (const name of ['postgres', 'postgres-password']) chmodSync(join(dataDir, name), 0o770);
    writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024, 'x\n'));
    symlinkSync(dataDir, join(folder, 'link'));
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'link'),
      report: () => {},
      settings: FAST,
    });
    await postgres.stop();
    expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700);
    expect(statSync(join(dataDir, 'postgres.log.1')).size).toBe(11 * 1024 * 1024);
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
  });

  it.each([
    ['a process that is not PostgreSQL', () => process.pid],
    ['nobody', () => 2 ** 22 - 1],
  ])('gets over a lock file that names %s', async (_, pid) => {
    const dataDir = made;
    // The file belongs to the user of the cluster, so that PostgreSQL can replace it.
    writeLike(
      join(dataDir, 'postgres', 'PG_VERSION'),
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${pid()}\n${dataDir}/postgres\n0\n5432\n\n\n\n`,
    );
    const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
    await postgres.stop();
  });

  it('works from a folder whose path is too long for a socket', async () => {
    const dataDir = copyOf(made, join('d'.repeat(60), 'd, "quoted"'.repeat(4)));
    const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
    const { host } = postgres.endpoint('service');
    expect(Buffer.byteLength(`${host}/.s.PGSQL.5432`)).toBeLessThanOrEqual(100);
    expect(modeOf(host)).toBe(0o700);
    expect(await query(postgres.endpoint('service'), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await attachToRunningPostgres(dataDir))?.endpoint('service').host).toBe(host);
    await postgres.stop();
    expect(existsSync(host)).toBe(false);
  });
});

describe('refusals', () => {
  const refusal = (options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) =>
    startEmbeddedPostgres({ report: () => {}, settings: FAST, ...options }).then(
      () => 'started',
      (error) => (error instanceof StartRefused ? error.message : error.stack),
    );

  it('names a cluster of another version, and a folder that is not a cluster', async () => {
    const other = join(folder, 'other-version');
    mkdirSync(join(other, 'postgres'), { recursive: true });
    writeFileSync(join(other, 'postgres', 'PG_VERSION'), '17\n');
    expect(await refusal({ dataDir: other })).toMatch(
      /^The database in .* was created by PostgreSQL 17, .*TRADELINE_DATA_DIR\.$/,
    );
    renameSync(join(other, 'postgres', 'PG_VERSION'), join(other, 'postgres', 'VERSION'));
    expect(await refusal({ dataDir: other })).toMatch(/has no readable PostgreSQL data.*TRADELINE_DATA_DIR/);
  });

  it('prints the output of PostgreSQL if it does not start', async () => {
    const dataDir = made;
    expect(await refusal({ dataDir, settings: { shared_buffers: 'plenty' } })).toMatch(
      /^PostgreSQL does not start on .* \(invalid value for parameter "shared_buffers".*DATABASE_URL.*\.$/,
    );
    // Nothing was left running or locked.
    const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: FAST });
    await postgres.stop();
  });

  it('names the way out if a secret and a database do not belong together', async () => {
    const file = join(made, 'postgres-password');
    renameSync(file, `${file}-kept`);
    expect(await refusal({ dataDir: made })).toMatch(
      /is missing or empty; .*same backup.*TRADELINE_DATA_DIR/,
    );
    writeFileSync(file, 'of another database');
    expect(await refusal({ dataDir: made })).toMatch(/does not accept the password in .*TRADELINE_DATA_DIR/);
    renameSync(`${file}-kept`, file);
  });

  it('names DATABASE_URL where no PostgreSQL is packaged', async () => {
    expect(await refusal({ dataDir: join(folder, 'bare'), nativeFolder: join(folder, 'nowhere') })).toMatch(
      /DATABASE_URL/,
    );
  });
});

describe('binaries as npm leaves them', () => {
  it('get the links an install script would have made', async () => {
    const nativeFolder = copyOfNative(join(folder, 'linkless'));
    const links = linksBelow(nativeFolder);
    for (const link of links) rmSync(link);
    const postgres = await startEmbeddedPostgres({
      dataDir: made,
      report: () => {},
      settings: FAST,
      nativeFolder,
    });
    await postgres.stop();
    expect(linksBelow(nativeFolder)).toEqual(links);
  });
});

function writeLike(model: string, path: string, content: string): void {
  execFileSync('cp', ['-a', model, path]);
  writeFileSync(path, content);
}

function linksBelow(path: string): string[] {
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((file) => lstatSync(file).isSymbolicLink())
    .sort();
}
