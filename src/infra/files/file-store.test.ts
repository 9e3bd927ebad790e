import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import type { PlatformVault } from '#infra/secrets/vault';
import { createWorld, type World } from '#test/world';
import { createFileStore, type FileStore, type NewFile } from './file-store.ts';

const NOW = 1_800_000_000;
/** Three chunks, the last one short. */
const SIZE = 600_000;

let world: World;
let folder: string;
let vault: PlatformVault;
let stores: Record<'database' | 'folder', FileStore>;
beforeAll(async () => {
  world = await createWorld();
  const { code, data_key_wrapped } = world.platform;
  vault = world.installation.vault.forPlatform(code, data_key_wrapped);
  folder = mkdtempSync(join(tmpdir(), 'tradeline-files-'));
  stores = { database: createFileStore(null), folder: createFileStore(join(folder, 'of', 'files')) };
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

function newFile(bytes = randomBytes(SIZE)): NewFile {
  const { platform_id: platformId } = world.platform;
  return { platformId, fileId: randomUUID(), bytes, sha256: createHash('sha256').update(bytes).digest() };
}

async function put(store: FileStore, file: NewFile): Promise<void> {
  await store.writeFile(vault, file);
  await inTransaction(world.installation.db, (db) => store.putFile(db, vault, file, NOW));
}

async function read(store: FileStore, { platformId, fileId }: NewFile, by = vault): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of store.openFile(world.installation.db, by, platformId, fileId)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const pathOf = ({ platformId, fileId }: NewFile) => join(folder, 'of', 'files', String(platformId), fileId);
const stored = (file: NewFile) => world.sql('select * from files where file_id = $1', [file.fileId]);

describe.each(['database', 'folder'] as const)('a file in the %s', (kind) => {
  it.each([1, 262_144, 262_145, SIZE])('of %i bytes is read as it was put', async (size) => {
    const file = newFile(randomBytes(size));
    await put(stores[kind], file);
    expect((await read(stores[kind], file)).equals(file.bytes)).toBe(true);
    expect(await stored(file)).toMatchObject([
      { size_bytes: size, sha256: file.sha256, is_in_folder: kind === 'folder' },
    ]);
  });

  it('is nowhere in clear, and opens with the key of its platform only', async () => {
    const file = newFile(Buffer.from('a secret of the buyer, '.repeat(20_000)));
    await put(stores[kind], file);
    const [{ sealed } = { sealed: readFileSync(kind === 'folder' ? pathOf(file) : '/dev/null') }] =
      await world.sql<{
        sealed: Buffer;
      }>('select sealed from file_chunks where file_id = $1', [file.fileId]);
    expect(sealed.length).toBeGreaterThan(1_000);
    expect(sealed.includes('secret')).toBe(false);
    const { platform } = await world.addPlatform();
    const other = world.installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
    await expect(read(stores[kind], file, other)).rejects.toThrow();
    await expect(read(stores[kind], { ...file, platformId: platform.platform_id })).rejects.toThrow(
      'no file',
    );
  });

  it('is gone for every reader once its row is deleted', async () => {
    const file = newFile();
    await put(stores[kind], file);
    await stores[kind].deleteFile(world.installation.db, file.platformId, file.fileId);
    await expect(read(stores[kind], file)).rejects.toThrow('no file');
    expect(await world.sql('select 1 from file_chunks where file_id = $1', [file.fileId])).toEqual([]);
  });

  it('does not exist after a transaction that failed', async () => {
    const file = newFile();
    await stores[kind].writeFile(vault, file);
    const failing = inTransaction(world.installation.db, async (db) => {
      await stores[kind].putFile(db, vault, file, NOW);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await expect(read(stores[kind], file)).rejects.toThrow('no file');
  });
});

describe('an altered file is refused', () => {
  it.each([
    [
      'a changed byte',
      'update file_chunks set sealed = set_byte(sealed, 5000, 255 - get_byte(sealed, 5000)) where chunk = 1 and file_id = $1',
    ],
    [
      'exchanged chunks',
      'update file_chunks a set sealed = b.sealed from file_chunks b where b.platform_id = a.platform_id and b.file_id = a.file_id and a.chunk + b.chunk = 1 and a.file_id = $1',
    ],
    ['a missing chunk', 'delete from file_chunks where chunk = 2 and file_id = $1'],
    ['another size', 'update files set size_bytes = 262144 where file_id = $1'],
  ])('in the database: %s', async (_, statement) => {
    const file = newFile();
    await put(stores.database, file);
    await world.sql(statement, [file.fileId]);
    await expect(read(stores.database, file)).rejects.toThrow();
  });

  it.each([
    ['a changed byte', (bytes: Buffer) => bytes.fill((bytes[300_000] as number) ^ 1, 300_000, 300_001)],
    ['a byte more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0])])],
    ['a byte less', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['a chunk less', (bytes: Buffer) => bytes.subarray(0, 2 * (262_144 + 28))],
  ])('in the folder: %s', async (_, alter) => {
    const file = newFile();
    await put(stores.folder, file);
    writeFileSync(pathOf(file), alter(readFileSync(pathOf(file))));
    await expect(read(stores.folder, file)).rejects.toThrow();
  });
});

describe('what a killed process leaves in the folder', () => {
  it('is removed after a day if it has no row, half-written or whole, and nothing else is', async () => {
    // Removes the files that other tests left.
    await stores.folder.pruneFiles(world.installation.db, NOW);
    const kept = newFile();
    await put(stores.folder, kept);
    const [whole, half, young] = [newFile(), newFile(), newFile()];
    for (const file of [whole, half, young]) await stores.folder.writeFile(vault, file);
    truncateSync(pathOf(half), 1_000);
    const old = NOW - 86_401;
    for (const file of [kept, whole, half]) utimesSync(pathOf(file), old, old);
    utimesSync(pathOf(young), NOW - 86_300, NOW - 86_300);
    const before = readdirSync(join(folder, 'of', 'files', String(kept.platformId)));
    expect(await stores.folder.pruneFiles(world.installation.db, NOW)).toBe(2);
    const after = readdirSync(join(folder, 'of', 'files', String(kept.platformId)));
    expect(before.filter((name) => !after.includes(name)).sort()).toEqual([whole.fileId, half.fileId].sort());
    expect((await read(stores.folder, kept)).equals(kept.bytes)).toBe(true);
  });
});

describe('the folder', () => {
  it('is refused at the start if it cannot be written', () => {
    const path = join(folder, 'no-folder');
    writeFileSync(path, '');
    expect(() => createFileStore(path)).toThrow(`The folder of files ${path} cannot be written`);
  });

  it('is named where a file is in it and the setting is gone', async () => {
    const file = newFile();
    await put(stores.folder, file);
    await expect(read(stores.database, file)).rejects.toThrow('TRADELINE_FILES_FOLDER');
    expect((await read(stores.folder, file)).equals(file.bytes)).toBe(true);
  });
});
