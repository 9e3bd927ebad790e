/**
 * Files, encrypted in chunks under the key of their platform. Each chunk is bound to its file, its number and the number of chunks, so that
 * none can be moved, left out or truncated. The content is in the database, or in a folder if a setting names one. Each file stays where it
 * was written.
 *
 * With a folder, the content is written before the row is committed, so a row without its file never exists. A file without a row is left
 * over from a call that failed or was killed, or from a removed row; `prune` removes it.
 */
import type { Db } from '../database/database.ts';
import { type PlatformVault, SEAL_BYTES } from '../secrets/vault.ts';
import {
  deleteFileRow,
  type FileRow,
  findChunk,
  findFile,
  findKnownFiles,
  insertChunk,
  insertFile,
} from './file.queries.ts';
import { type FileFolder, openFileFolder } from './file-folder.ts';

export interface NewFile {
  platformId: number;
  /** A UUID. */
  fileId: string;
  bytes: Buffer;
  sha256: Buffer;
}

export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

export interface FileStore {
  /** Writes the content if it is stored outside the database. Call it before the transaction of `putFile`. */
  writeFile(vault: PlatformVault, file: NewFile): Promise<void>;
  /** Inserts the row, and the content if it is stored in the database. Call it in a transaction. `now` in unix seconds. */
  putFile(db: Db, vault: PlatformVault, file: NewFile, now: number): Promise<void>;
  /** The content in chunks. Throws if it was altered, and FileMissing if no such file exists. */
  openFile(db: Db, vault: PlatformVault, platformId: number, fileId: string): AsyncGenerator<Buffer>;
  deleteFile(db: Db, platformId: number, fileId: string): Promise<void>;
  /** Removes files of the folder that have no row and are older than a day. `now` in unix seconds. Returns their number. */
  pruneFiles(db: Db, now: number): Promise<number>;
}

/** The amount that one statement transfers, which is in memory twice. */
const CHUNK_BYTES = 256 * 1024;
/** Longer than any transaction that could still commit the row: the import of a large platform takes hours. */
const LEFT_OVER_SECONDS = 86_400;

/** @param folder Null stores the content in the database. Throws StartRefused if the folder cannot be written. */
export function createFileStore(folder: string | null): FileStore {
  const files = folder === null ? null : openFileFolder(folder);
  return {
    async writeFile(vault, file) {
      await files?.write(file.platformId, file.fileId, sealedChunks(vault, file));
    },
    async putFile(db, vault, file, now) {
      const { platformId, fileId, bytes, sha256 } = file;
      await insertFile(db, {
        platform_id: platformId,
        file_id: fileId,
        created_at: now,
        size_bytes: bytes.length,
        sha256,
        is_in_folder: files !== null,
      });
      if (files) return;
      let chunk = 0;
      for (const sealed of sealedChunks(vault, file))
        await insertChunk(db, platformId, fileId, chunk++, sealed);
    },
    async *openFile(db, vault, platformId, fileId) {
      const row = await findFile(db, platformId, fileId);
      if (!row) throw new FileMissing(`There is no file ${fileId}.`);
      const sealedOnes = row.is_in_folder ? inFolder(files, row) : inDatabase(db, row);
      const chunks = chunksOf(row.size_bytes);
      let chunk = 0;
      for await (const sealed of sealedOnes) yield vault.openBytes(placeOf(fileId, chunk++, chunks), sealed);
      if (chunk !== chunks) throw new Error(`The file ${fileId} has ${chunk} of ${chunks} chunks.`);
    },
    deleteFile: deleteFileRow,
    async pruneFiles(db, now) {
      let removed = 0;
      if (!files) return removed;
      for await (const { platformId, fileIds } of files.listOlderThan((now - LEFT_OVER_SECONDS) * 1_000)) {
        const known = await findKnownFiles(db, platformId, fileIds);
        for (const fileId of fileIds.filter((each) => !known.has(each))) {
          await files.remove(platformId, fileId);
          removed += 1;
        }
      }
      return removed;
    },
  };
}

const chunksOf = (sizeBytes: number) => Math.ceil(sizeBytes / CHUNK_BYTES);
const placeOf = (fileId: string, chunk: number, chunks: number) => `files/${fileId}/${chunk}/${chunks}`;

function* sealedChunks(vault: PlatformVault, { fileId, bytes }: NewFile): Generator<Buffer> {
  const chunks = chunksOf(bytes.length);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const content = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    yield vault.sealBytes(placeOf(fileId, chunk, chunks), content);
  }
}

async function* inDatabase(db: Db, { platform_id, file_id, size_bytes }: FileRow): AsyncGenerator<Buffer> {
  for (let chunk = 0; chunk < chunksOf(size_bytes); chunk += 1) {
    const sealed = await findChunk(db, platform_id, file_id, chunk);
    if (!sealed) return;
    yield sealed;
  }
}

function inFolder(files: FileFolder | null, { platform_id, file_id }: FileRow): AsyncGenerator<Buffer> {
  if (!files)
    throw new Error(`The file ${file_id} is in the folder of TRADELINE_FILES_FOLDER, which is not set.`);
  return files.read(platform_id, file_id, CHUNK_BYTES + SEAL_BYTES);
}
