import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lockDataFolder } from '#infra/embedded-postgres/data-folder';
import { StartRefused } from '#kernel/start-refused';

const folder = mkdtempSync(join(tmpdir(), 'tradeline-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the lock on the data folder', () => {
  it('is refused in the same process too, until the lock is released', async () => {
    const dataDir = join(folder, 'locked');
    const lock = await lockDataFolder(dataDir);
    await expect(lockDataFolder(dataDir)).rejects.toThrow(StartRefused);
    await expect(lockDataFolder(dataDir)).rejects.toThrow(`pid ${process.pid}`);
    expect(lock.isStillLocked()).toBe(true);
    await lock.release();
    await (await lockDataFolder(dataDir)).release();
    expect(readdirSync(dataDir)).toEqual(['tradeline.lock']);
  });

  it('detects that the folder was replaced under its holder', async () => {
    const dataDir = join(folder, 'replaced');
    const lock = await lockDataFolder(dataDir);
    rmSync(dataDir, { recursive: true });
    expect(lock.isStillLocked()).toBe(false);
    await lock.release();
  });

  it('names what is wrong with a folder it cannot be', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const dataDir of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      expect(await refusalOf(dataDir)).toBe(
        `The data folder ${dataDir} is not a folder; fix this, or set TRADELINE_DATA_DIR to a folder that this user can write, with room on its disk.`,
      );
    }
    expect(await refusalOf('/proc/tradeline')).toMatch(/TRADELINE_DATA_DIR/);
  });
});

const refusalOf = (dataDir: string) =>
  lockDataFolder(dataDir).then(
    () => 'locked',
    (error) => (error instanceof StartRefused ? error.message : error.stack),
  );
