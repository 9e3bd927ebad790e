import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { copyOf, copyOfNative, modeOf, useTestFolder } from '#test/embedded-postgres-folders';
import { FAST, query, start, startAs } from '#test/embedded-postgres-processes';

const { folder, made } = useTestFolder();
const asRoot = process.getuid?.() === 0;

describe.runIf(asRoot)('as root, from folders PostgreSQL cannot reach', () => {
  it('copies the binaries, links the data elsewhere, and finds both again', async () => {
    const clone = join(folder, 'home');
    mkdirSync(clone, { mode: 0o700 });
    chmodSync(clone, 0o700);
    const options = {
      dataDir: join(clone, 'data'),
      nativeFolder: copyOfNative(join(clone, 'clone')),
      systemFolder: join(folder, 'system'),
      settings: FAST,
    };
    const said: string[] = [];
    const first = await startEmbeddedPostgres({ ...options, report: (sentence) => said.push(sentence) });
    await query(first.endpoint('owner'), 'create table kept (id int)');
    await first.stop();
    const cluster = readlinkSync(join(options.dataDir, 'postgres'));
    expect(dirname(dirname(cluster))).toBe(options.systemFolder);
    expect(said[0]).toMatch(`PostgreSQL keeps its data in ${cluster}`);
    expect(said[1]).toMatch(/^Copying PostgreSQL to /);
    expect(statSync(cluster).uid).not.toBe(0);

    // A copy of the folder shares the cluster, so the two must not run at the same time; a moved folder takes the cluster along.
    const copy = join(clone, 'copy');
    cpSync(options.dataDir, copy, { recursive: true, verbatimSymlinks: true });
    const again: string[] = [];
    const second = await startEmbeddedPostgres({ ...options, report: (sentence) => again.push(sentence) });
    expect(again).toHaveLength(1);
    expect(await query(second.endpoint('owner'), 'select * from kept')).toEqual([]);
    await expect(startEmbeddedPostgres({ ...options, dataDir: copy, report: () => {} })).rejects.toThrow(
      'is in use by another',
    );
    await second.stop();

    renameSync(dirname(cluster), `${dirname(cluster)}-lost`);
    await expect(startEmbeddedPostgres({ ...options, report: () => {} })).rejects.toThrow(
      /which is gone.*TRADELINE_DATA_DIR/,
    );
  });

  it('opens an empty folder of root just enough, and does not change a folder with files', async () => {
    const dataDir = join(folder, 'private');
    mkdirSync(dataDir, { mode: 0o700 });
    const said: string[] = [];
    const systemFolder = join(folder, 'system');
    const options = { settings: FAST, systemFolder, report: (sentence: string) => said.push(sentence) };
    const postgres = await startEmbeddedPostgres({ dataDir, ...options });
    await postgres.stop();
    expect(modeOf(dataDir)).toBe(0o701);
    expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700);
    expect(said[0]).toMatch('can now traverse');

    const shared = join(folder, 'shared');
    mkdirSync(shared, { mode: 0o700 });
    writeFileSync(join(shared, 'letter'), '', { mode: 0o644 });
    const other = await startEmbeddedPostgres({ dataDir: shared, ...options });
    await other.stop();
    expect(modeOf(shared)).toBe(0o700);
    expect(readlinkSync(join(shared, 'postgres'))).toContain(systemFolder);
  });

  it('names the owner of the database to an ordinary user', async () => {
    const dataDir = copyOf(made, 'roots');
    const refused = startAs('nobody', { dataDir });
    expect(await refused.line('refused')).toBe(
      `The data folder ${dataDir} cannot be read and written by user nobody because it belongs to user root; ` +
        'fix this, or set TRADELINE_DATA_DIR to a folder that this user can write, with room on its disk.',
    );
    chmodSync(dataDir, 0o777);
    for (const name of ['tradeline.lock', 'tradeline.pid']) rmSync(join(dataDir, name), { force: true });
    const other = startAs('nobody', { dataDir });
    expect(await other.line('refused')).toMatch(
      /belongs to user tradeline, because it was created when Tradeline ran as root; start/,
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
