/** The folder of encrypted files: `<folder>/<platform id>/<file id>`. It belongs to the service's user alone. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '#kernel/start-refused';

export interface FileFolder {
  /** Writes the parts one after another; they are on the disk when it returns. Throws if the file exists. */
  write(platformId: number, fileId: string, parts: Iterable<Buffer>): Promise<void>;
  /** The parts of at most `partBytes` each. */
  read(platformId: number, fileId: string, partBytes: number): AsyncGenerator<Buffer>;
  /** Removes a file if it exists. */
  remove(platformId: number, fileId: string): Promise<void>;
  /** The ids of all files that were last written before an instant in milliseconds, by platform. */
  listOlderThan(instantMs: number): AsyncGenerator<{ platformId: number; fileIds: string[] }>;
}

const NAME = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Creates the folder if needed. Throws StartRefused if it cannot be written. */
export function openFileFolder(folder: string): FileFolder {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartRefused(`The folder of files ${folder} cannot be written: ${(error as Error).message}`);
  }
  const folderOf = (platformId: number) => join(folder, String(platformId));
  const pathOf = (platformId: number, fileId: string) => join(folderOf(platformId), fileId);
  return {
    async write(platformId, fileId, parts) {
      await mkdir(folderOf(platformId), { recursive: true, mode: 0o700 });
      const file = await open(pathOf(platformId, fileId), 'wx', 0o600);
      try {
        for (const part of parts) await file.writeFile(part);
        await file.sync();
      } finally {
        await file.close();
      }
      // Syncs the directory entries too.
      for (const path of [folderOf(platformId), folder]) await syncFolder(path);
    },
    async *read(platformId, fileId, partBytes) {
      const file = await open(pathOf(platformId, fileId), 'r');
      try {
        const part = Buffer.alloc(partBytes);
        for (;;) {
          const length = await readFully(file, part);
          if (length > 0) yield part.subarray(0, length);
          if (length < partBytes) return;
        }
      } finally {
        await file.close();
      }
    },
    remove: (platformId, fileId) => rm(pathOf(platformId, fileId), { force: true }),
    async *listOlderThan(instantMs) {
      for (const name of await readdir(folder)) {
        if (!/^\d+$/.test(name)) continue;
        const fileIds: string[] = [];
        for (const fileId of await readdir(join(folder, name)))
          if (NAME.test(fileId) && (await writtenMs(join(folder, name, fileId))) < instantMs)
            fileIds.push(fileId);
        yield { platformId: Number(name), fileIds };
      }
    },
  };
}

type FileHandle = Awaited<ReturnType<typeof open>>;

async function readFully(file: FileHandle, part: Buffer): Promise<number> {
  let length = 0;
  while (length < part.length) {
    const { bytesRead } = await file.read(part, length, part.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A file that another process has just removed counts as new. */
async function writtenMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}
