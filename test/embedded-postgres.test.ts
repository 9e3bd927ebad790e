import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lockDataFolder } from '#infra/data-folder';
import {
  attachToRunningPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#infra/embedded-postgres';
import { StartRefused } from '#kernel/start-refused';
import {
  answers,
  FAST,
  killStarted,
  processesBelow,
  query,
  start,
  startAs,
  until,
  untilNothingRunsBelow,
} from '#test/embedded-postgres-processes';

const asRoot = process.getuid?.() === 0;

let folder: string;
/** A data folder with a cluster in it, to copy: making one takes most of a start's time. */
let made: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradeline-test-'));
  chmodSync(folder, 0o755);
  made = join(folder, 'made');
  const postgres = await startEmbeddedPostgres({ dataDir: made, say: () => {}, settings: FAST });
  await postgres.stop();
});

afterEach(killStarted);

afterAll(async () => {
  await untilNothingRunsBelow(folder);
  rmSync(folder, { recursive: true });
});

describe('first start', () => {
  it('makes a cluster that knows its three roles, in seconds', async () => {
    const dataDir = join(folder, 'first');
    const said: string[] = [];
    const startedAtMs = performance.now();
    const postgres = await startEmbeddedPostgres({
      dataDir,
      say: (sentence) => said.push(sentence),
      settings: FAST,
    });
    try {
      expect(performance.now() - startedAtMs).toBeLessThan(5_000);
      expect(said).toEqual([`Creating the database in ${dataDir}/postgres.`]);
      expect(modeOf(dataDir)).toBe(asRoot ? 0o711 : 0o700);
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

  it('starts over when a kill came in the middle of it', async () => {
    const dataDir = join(folder, 'interrupted');
    const first = start({ dataDir });
    await first.line('said');
    await until(() => namesOf(dataDir).some((name) => name.startsWith('postgres-unfinished-')));
    first.process.kill('SIGKILL');

    const second = start({ dataDir });
    await second.line('ready');
    await second.stop();
    expect(namesOf(dataDir).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('completes what a kill after making the cluster left out', async () => {
    const dataDir = copyOf(made, 'without-roles');
    const before = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: FAST });
    const superuser = before.endpoint('superuser');
    await query(superuser, 'drop database tradeline');
    await query(superuser, 'drop role tradeline_owner');
    await query(superuser, 'alter role tradeline_service superuser');
    await before.stop();

    const postgres = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: FAST });
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
      dataDir: copyOf(made, 'roles'),
      say: () => {},
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

describe('another process on the same data folder', () => {
  it('is refused at once, and attaches to the running database instead', async () => {
    const dataDir = copyOf(made, 'shared');
    expect(await attachToRunningPostgres(dataDir)).toBeNull();
    const first = start({ dataDir });
    const { endpoints } = await first.line('ready');

    const startedAtMs = performance.now();
    await expect(startEmbeddedPostgres({ dataDir, say: () => {} })).rejects.toThrow(
      new StartRefused(
        `The data folder ${dataDir} is in use by another Tradeline (pid ${first.process.pid}); ` +
          'stop it, or set TRADELINE_DATA_DIR to another folder.',
      ),
    );
    expect(performance.now() - startedAtMs).toBeLessThan(100);
    const second = start({ dataDir });
    expect(await second.line('refused')).toContain('is in use by another Tradeline');
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);

    const attached = await attachToRunningPostgres(dataDir);
    expect(attached?.endpoint('owner')).toEqual(endpoints.owner);
    expect(attached?.startedHere).toBe(false);
    await attached?.stop();
    expect(await query(endpoints.service, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
    expect(await attachToRunningPostgres(dataDir)).toBeNull();
  });

  it('is refused in the same process too, until the lock is released', async () => {
    const dataDir = join(folder, 'locked');
    const lock = await lockDataFolder(dataDir);
    await expect(lockDataFolder(dataDir)).rejects.toThrow(StartRefused);
    await expect(lockDataFolder(dataDir)).rejects.toThrow(`pid ${process.pid}`);
    expect(lock.isStillHeld()).toBe(true);
    await lock.release();
    await (await lockDataFolder(dataDir)).release();
    expect(namesOf(dataDir)).toEqual(['tradeline.lock']);
  });

  it('tells when the folder was replaced under the holder', async () => {
    const dataDir = join(folder, 'replaced');
    const lock = await lockDataFolder(dataDir);
    rmSync(dataDir, { recursive: true });
    expect(lock.isStillHeld()).toBe(false);
    await lock.release();
  });
});

describe.runIf(process.platform === 'linux')('kill -9', () => {
  it('of the parent leaves nothing behind, and the next start succeeds while the old one still ends', async () => {
    const dataDir = copyOf(made, 'killed');
    const first = start({ dataDir });
    const { endpoints } = await first.line('ready');
    await query(endpoints.owner, 'create table kept (id int); insert into kept values (1)');
    const pids = processesBelow(dataDir).map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(5);
    first.process.kill('SIGKILL');

    const second = start({ dataDir });
    const { afterMs } = await second.line('ready');
    expect(afterMs).toBeLessThan(3_000);
    expect(await query(endpoints.service, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await query(endpoints.owner, 'select id from kept')).toEqual([{ id: 1 }]);
    second.process.kill('SIGKILL');
    const killedAtMs = performance.now();
    await untilNothingRunsBelow(dataDir);
    expect(performance.now() - killedAtMs).toBeLessThan(3_000);
    for (const pid of pids) expect(existsSync(`/proc/${pid}/cwd`)).toBe(false);
  });

  it('of PostgreSQL starts it again, over a query that would go on without it', async () => {
    const dataDir = copyOf(made, 'crashed');
    const server = start({ dataDir });
    const { endpoints } = await server.line('ready');
    const busy = query(endpoints.service, 'select count(*) from generate_series(1, 1000000000)').catch(
      (error) => error,
    );
    await until(async () => {
      const [row] = await query(
        endpoints.superuser,
        `select count(*)::int as n from pg_stat_activity where query ~ 'count.*series' and pid <> pg_backend_pid()`,
      );
      return row?.n === 1;
    });
    for (const postmasterPid of [postmasterPidOf(dataDir), undefined]) {
      const killedAtMs = performance.now();
      process.kill(postmasterPid ?? postmasterPidOf(dataDir), 'SIGKILL');
      await until(() => answers(endpoints.service));
      expect(performance.now() - killedAtMs).toBeLessThan(3_000);
    }
    expect(await busy).toBeInstanceOf(Error);
    expect(server.said).toEqual([
      'PostgreSQL ended unexpectedly (signal SIGKILL); starting it again.',
      'PostgreSQL ended unexpectedly (signal SIGKILL); starting it again.',
    ]);
    await server.stop();
  });

  it('of the guard brings another', async () => {
    const dataDir = copyOf(made, 'unguarded');
    const server = start({ dataDir });
    await server.line('ready');
    const guardPid = () =>
      processesBelow(dataDir).find(({ command }) => command.includes('tradeline-guard'))?.pid;
    const first = await until(guardPid);
    process.kill(first, 'SIGKILL');
    await until(() => guardPid() !== undefined && guardPid() !== first);
    server.process.kill('SIGKILL');
    await untilNothingRunsBelow(dataDir);
  });
});

describe('next start', () => {
  it('is ready in a second, and stopping it leaves nothing', async () => {
    const dataDir = copyOf(made, 'next');
    const server = start({ dataDir });
    expect((await server.line('ready')).afterMs).toBeLessThan(1_000);
    await server.stop();
    expect(processesBelow(dataDir)).toEqual([]);
    expect(server.said).toEqual([]);
  });

  it('works through a link to the data folder, with permissions a volume widened and a log that has grown', async () => {
    const dataDir = copyOf(made, 'volume');
    for (const name of ['postgres', 'postgres-password']) chmodSync(join(dataDir, name), 0o770);
    writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(11 * 1024 * 1024, 'x\n'));
    symlinkSync(dataDir, join(folder, 'link'));
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'link'),
      say: () => {},
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
    const dataDir = copyOf(made, `stale-${pid()}`);
    // The owner of the file is the cluster's, so that PostgreSQL can replace it.
    writeLike(
      join(dataDir, 'postgres', 'PG_VERSION'),
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${pid()}\n${dataDir}/postgres\n0\n5432\n\n\n\n`,
    );
    const postgres = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: FAST });
    await postgres.stop();
  });

  it('works from a folder whose path is too long for a socket', async () => {
    const dataDir = copyOf(made, join('d'.repeat(60), 'd, "quoted"'.repeat(4)));
    const postgres = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: FAST });
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
    startEmbeddedPostgres({ say: () => {}, settings: FAST, ...options }).then(
      () => 'started',
      (error) => (error instanceof StartRefused ? error.message : error.stack),
    );

  it('names what is wrong with the data folder', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const dataDir of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      expect(await refusal({ dataDir })).toBe(
        `The data folder ${dataDir} is not a folder; mend that, or set TRADELINE_DATA_DIR to a folder this user can write, with room on its disk.`,
      );
    }
    expect(await refusal({ dataDir: '/proc/tradeline' })).toMatch(/TRADELINE_DATA_DIR/);
  });

  it('names a cluster of another version, and one that is none', async () => {
    const other = copyOf(made, 'other-version');
    writeFileSync(join(other, 'postgres', 'PG_VERSION'), '17\n');
    expect(await refusal({ dataDir: other })).toMatch(
      /^The database in .* was made by PostgreSQL 17 .*TRADELINE_DATA_DIR\.$/,
    );
    rmSync(join(other, 'postgres', 'PG_VERSION'));
    expect(await refusal({ dataDir: other })).toMatch(/holds no PostgreSQL data.*TRADELINE_DATA_DIR/);
  });

  it('says what PostgreSQL said when it does not start', async () => {
    const dataDir = copyOf(made, 'bad-setting');
    expect(await refusal({ dataDir, settings: { shared_buffers: 'plenty' } })).toMatch(
      /^PostgreSQL does not start on .* \(invalid value for parameter "shared_buffers".*DATABASE_URL.*\.$/,
    );
    // Nothing was left running or locked.
    const postgres = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: FAST });
    await postgres.stop();
  });

  it('names the way out where a secret and a database do not belong together', async () => {
    const dataDir = copyOf(made, 'other-secret');
    rmSync(join(dataDir, 'postgres-password'));
    expect(await refusal({ dataDir })).toMatch(
      /is not opened by the secret in .*same backup.*TRADELINE_DATA_DIR/,
    );
  });

  it('names DATABASE_URL where no PostgreSQL is packaged', async () => {
    expect(await refusal({ dataDir: join(folder, 'bare'), nativeFolder: join(folder, 'nowhere') })).toMatch(
      /DATABASE_URL/,
    );
  });
});

describe('binaries as npm leaves them', () => {
  it('get the links an install script would have made', async () => {
    const nativeFolder = copyOfNative('linkless');
    const links = linksBelow(nativeFolder);
    for (const link of links) rmSync(link);
    const postgres = await startEmbeddedPostgres({
      dataDir: copyOf(made, 'links'),
      say: () => {},
      settings: FAST,
      nativeFolder,
    });
    await postgres.stop();
    expect(linksBelow(nativeFolder)).toEqual(links);
  });
});

describe.runIf(asRoot)('as root, from folders PostgreSQL cannot reach', () => {
  it('copies the binaries, links the data elsewhere, and finds both again', async () => {
    const clone = join(folder, 'home');
    mkdirSync(clone, { mode: 0o700 });
    chmodSync(clone, 0o700);
    const options = {
      dataDir: join(clone, 'data'),
      nativeFolder: copyOfNative('home/clone'),
      systemFolder: join(folder, 'system'),
      settings: FAST,
    };
    const said: string[] = [];
    const first = await startEmbeddedPostgres({ ...options, say: (sentence) => said.push(sentence) });
    await query(first.endpoint('owner'), 'create table kept (id int)');
    await first.stop();
    const cluster = readlinkSync(join(options.dataDir, 'postgres'));
    expect(dirname(dirname(cluster))).toBe(options.systemFolder);
    expect(said[0]).toMatch(`PostgreSQL keeps its data in ${cluster}`);
    expect(said[1]).toMatch(/^Copying PostgreSQL to /);
    expect(statSync(cluster).uid).not.toBe(0);

    // A copy of the folder shares the cluster, so the two must not run at once; a moved one takes it along.
    const copy = join(clone, 'copy');
    cpSync(options.dataDir, copy, { recursive: true, verbatimSymlinks: true });
    const again: string[] = [];
    const second = await startEmbeddedPostgres({ ...options, say: (sentence) => again.push(sentence) });
    expect(again).toHaveLength(1);
    expect(await query(second.endpoint('owner'), 'select * from kept')).toEqual([]);
    await expect(startEmbeddedPostgres({ ...options, dataDir: copy, say: () => {} })).rejects.toThrow(
      'is in use by another',
    );
    await second.stop();

    renameSync(dirname(cluster), `${dirname(cluster)}-lost`);
    await expect(startEmbeddedPostgres({ ...options, say: () => {} })).rejects.toThrow(
      /which is gone.*TRADELINE_DATA_DIR/,
    );
  });

  it('tells an ordinary user whose database it is', async () => {
    const dataDir = copyOf(made, 'roots');
    const refused = startAs('nobody', { dataDir });
    expect(await refused.line('refused')).toBe(
      `The data folder ${dataDir} cannot be read and written by user nobody because it belongs to user root; ` +
        'mend that, or set TRADELINE_DATA_DIR to a folder this user can write, with room on its disk.',
    );
    chmodSync(dataDir, 0o777);
    for (const name of ['tradeline.lock', 'tradeline.pid']) rmSync(join(dataDir, name), { force: true });
    const other = startAs('nobody', { dataDir });
    expect(await other.line('refused')).toMatch(
      /belongs to user tradeline, because it was made when Tradeline ran as root; start/,
    );
  });
});

describe('as an ordinary user', () => {
  it.runIf(asRoot)('starts, keeps its files to itself, and may be started by root once', async () => {
    const home = join(folder, 'nobodys');
    mkdirSync(home);
    execFileSync('chown', ['nobody', home]);
    const dataDir = join(home, 'data');
    const first = startAs('nobody', { dataDir });
    await first.line('ready');
    expect(modeOf(dataDir)).toBe(0o700);
    await first.stop();
    const asRootOnce = start({ dataDir });
    await asRootOnce.line('ready');
    await asRootOnce.stop();
    const third = startAs('nobody', { dataDir });
    await third.line('ready');
    await third.stop();
  });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;
const namesOf = (path: string) => (existsSync(path) ? readdirSync(path).sort() : []);
const postmasterPidOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

/** A copy of a data folder, with its owners. */
function copyOf(dataDir: string, name: string): string {
  const copy = join(folder, name);
  mkdirSync(dirname(copy), { recursive: true });
  execFileSync('cp', ['-a', dataDir, copy]);
  return copy;
}

function writeLike(model: string, path: string, content: string): void {
  execFileSync('cp', ['-a', model, path]);
  writeFileSync(path, content);
}

function copyOfNative(name: string): string {
  const installed = dirname(
    dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  );
  const copy = join(folder, name);
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'native');
}

function linksBelow(path: string): string[] {
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((file) => lstatSync(file).isSymbolicLink())
    .sort();
}
